/**
 * Text that people, models and tools write may hold U+0000 or half a surrogate pair, which Postgres text refuses. As a JSON
 * string both are escapes.
 */
export function toJsonText(text: string): string {
  return JSON.stringify(text);
}

export function fromJsonText(stored: string): string {
  const value: unknown = JSON.parse(stored);
  if (typeof value !== 'string') throw new Error('Bug: a stored text is not a JSON string');
  return value;
}

/** The beginning of a text, of the beginning of its JSON: an escape that the cut took apart is left out. */
export function fromJsonTextStart(start: string): string {
  const whole = /^"(?:[^"\\]|\\u[0-9a-f]{4}|\\[^u])*/i.exec(start)?.[0];
  if (whole === undefined) throw new Error('Bug: a stored text is not a JSON string');
  return fromJsonText(`${whole}"`);
}

/** For columns that queries compare; the whole text is elsewhere. */
export function toPlainText(text: string): string {
  return Buffer.from(text.replaceAll('\0', '\u{fffd}')).toString();
}
