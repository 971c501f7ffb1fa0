export interface CommandWords {
  readonly words: string[];
  /** The quote that is not closed, or an empty text. */
  readonly open: string;
}

/**
 * Splits a command line at spaces outside quotes, as a shell does, but expands nothing. `isEscaping` says whether a backslash takes the
 * next character as it is, inside this quote (empty outside quotes).
 */
export function splitCommand(line: string, isEscaping: (quote: string) => boolean): CommandWords {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    if (quote === '' && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (char === quote) quote = '';
    else if (quote === '' && (char === '"' || char === "'")) {
      quote = char;
      word ??= '';
    } else if (char === '\\' && isEscaping(quote)) {
      at += 1;
      word = `${word ?? ''}${line.charAt(at)}`;
    } else word = `${word ?? ''}${char}`;
  }
  if (word !== undefined) words.push(word);
  return { words, open: quote };
}

/** A backslash outside quotes is one, as in paths of Windows. */
export function inDoubleQuotes(quote: string): boolean {
  return quote === '"';
}
