/**
 * True when JSON text holds more than `most` values or is nested deeper than `deepest`. Parsing many values takes many times
 * the size of the text in memory, and serialising a very deep value overflows the stack. Reads each character once, without
 * allocating. Also accepts text that is not JSON.
 */
export function isJsonTooLarge(text: string, most: number, deepest: number): boolean {
  // The text is too short for so many values or levels, because each needs at least one character.
  if (text.length <= Math.min(most, deepest)) return false;
  let values = 1;
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === quote) {
      i = endOfString(text, i);
      continue;
    }
    if (code === openBracket || code === openBrace) {
      depth += 1;
      if (depth > deepest) return true;
    } else if (code === closeBracket || code === closeBrace) {
      depth -= 1;
      continue;
    } else if (code !== comma) {
      continue;
    }
    values += 1;
    if (values > most) return true;
  }
  return false;
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Returns the position of the quote that closes the string at `from`, or the length of the text. */
export function endOfString(text: string, from: number): number {
  for (let i = from + 1; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === backslash) i += 1;
    else if (code === quote) return i;
  }
  return text.length;
}
