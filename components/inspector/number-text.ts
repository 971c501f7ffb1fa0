/** Returns the typed number, or `undefined` for an empty field. The text must have no `numberFault`. */
export function parseNumber(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text);
}

/** The limits of a number field. */
export interface NumberLimits {
  readonly least?: number | undefined;
  readonly whole?: boolean | undefined;
}

/** Returns a sentence that says what is wrong with the text of a number field, or `undefined` if nothing is. */
export function numberFault(text: string, { least, whole }: NumberLimits = {}): string | undefined {
  const written = text.trim();
  if (written === '') return undefined;
  const value = Number(written);
  if (!Number.isFinite(value)) {
    return `'${written}' is not a number, so it is not written. Write digits, or leave the field empty.`;
  }
  if (whole && !Number.isInteger(value)) {
    return `'${written}' is not a whole number, so it is not written. Write it without a fraction.`;
  }
  if (least === undefined || value >= least) return undefined;
  return `'${written}' is too small, so it is not written. Write ${least} or more, or leave the field empty.`;
}
