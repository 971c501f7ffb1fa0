/** A pattern for LIKE and ILIKE that finds `text` anywhere; `%`, `_` and `\` in it are themselves. */
export function containsPattern(text: string): string {
  return `%${escapeLike(text)}%`;
}

/** For what puts `%` round it by itself, as Prisma's `contains` does. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
