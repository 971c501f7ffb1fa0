/** The number that is typed; undefined for an empty field. Only for text in which `numberFault` finds nothing. */
export function parseNumber(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text);
}

/** A sentence that says what is wrong with the text of a number field; undefined if nothing is. */
export function numberFault(text: string): string | undefined {
  if (text.trim() === '' || Number.isFinite(Number(text))) return undefined;
  return `'${text.trim()}' is no number, so it is not written. Write digits, or leave the field empty.`;
}
