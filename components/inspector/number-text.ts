/** Returns the typed number, or `undefined` for an empty field. The text must have no `numberFault`. */
export function parseNumber(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text);
}

/** Returns a sentence that says what is wrong with the text of a number field, or `undefined` if nothing is. */
export function numberFault(text: string): string | undefined {
  if (text.trim() === '' || Number.isFinite(Number(text))) return undefined;
  return `'${text.trim()}' is no number, so it is not written. Write digits, or leave the field empty.`;
}
