/**
 * True when JSON text holds more than `most` values, or values inside values deeper than `deepest`. Parsing such text takes
 * many times its size in memory, and writing a very deep value overflows the stack. Reads each character once and builds nothing. Text that is not
 * JSON gets an answer too.
 */
export function isJsonTooLarge(text: string, most: number, deepest: number): boolean {
  // Each value takes a character at least, and each level opens with one.
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

/** The place of the quote that ends the string at `from`; the end of the text when there is none. */
function endOfString(text: string, from: number): number {
  for (let i = from + 1; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === backslash) i += 1;
    else if (code === quote) return i;
  }
  return text.length;
}
