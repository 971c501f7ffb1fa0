/**
 * Text of people, models and tools may contain U+0000 or half a surrogate pair, which Postgres does not accept in a text. In a
 * JSON string both are escaped.
 */
export function toJsonText(text: string): string {
  return JSON.stringify(text);
}

export function fromJsonText(stored: string): string {
  const value: unknown = JSON.parse(stored);
  if (typeof value !== 'string') throw new Error('Bug: a stored text is not a JSON string');
  return value;
}

/** Decodes a JSON string of which only the first part is here. An incomplete escape at its end is dropped. */
export function fromJsonTextStart(start: string): string {
  const whole = /^"(?:[^"\\]|\\u[0-9a-f]{4}|\\[^u])*/i.exec(start)?.[0];
  if (whole === undefined) throw new Error('Bug: a stored text is not a JSON string');
  return fromJsonText(`${whole}"`);
}

/** For columns that queries compare. Another column has the exact text. */
export function toPlainText(text: string): string {
  return Buffer.from(text.replaceAll('\0', '\u{fffd}')).toString();
}
