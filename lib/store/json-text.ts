/**
 * Writes a text as a JSON string, in which U+0000 and halves of surrogate pairs are escaped. Text of people, models and
 * tools may contain them, and Postgres does not accept them in a text.
 */
export function toJsonText(text: string): string {
  return JSON.stringify(text);
}

export function fromJsonText(stored: string): string {
  const value: unknown = JSON.parse(stored);
  if (typeof value !== 'string') throw new Error('Bug: a stored text is not a JSON string');
  return value;
}

/** Decodes the first part of a JSON string. An incomplete escape at its end is dropped. */
export function fromJsonTextStart(start: string): string {
  const whole = /^"(?:[^"\\]|\\u[0-9a-f]{4}|\\[^u])*/i.exec(start)?.[0];
  if (whole === undefined) throw new Error('Bug: a stored text is not a JSON string');
  return fromJsonText(`${whole}"`);
}

/** Replaces what Postgres does not accept, for columns that queries compare. Another column has the exact text. */
export function toPlainText(text: string): string {
  return Buffer.from(text.replaceAll('\0', '\u{fffd}')).toString();
}

/** Writes a value as JSON for a column of type `jsonb`, which takes neither U+0000 nor halves of surrogate pairs. */
export function toPlainJson(value: unknown): string {
  const isRefused = /^\\u(?:0000|d[89a-f])/;
  return JSON.stringify(value).replace(/\\(?:u[0-9a-f]{4}|.)/g, (written) =>
    isRefused.test(written) ? '\ufffd' : written,
  );
}
