/** Splits a command line at spaces outside quotes, as a shell does, but expands nothing. */
export function splitCommand(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote === '' && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (char === quote) quote = '';
    else if (quote === '' && (char === '"' || char === "'")) {
      quote = char;
      word ??= '';
    } else if (char === '\\' && quote === '"') {
      at += 1;
      word = `${word ?? ''}${text.charAt(at)}`;
    } else word = `${word ?? ''}${char}`;
  }
  if (word !== undefined) words.push(word);
  return words;
}
