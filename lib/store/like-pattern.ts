/** Returns a pattern for LIKE and ILIKE that finds `text` anywhere. `%`, `_` and `\` in `text` are escaped. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
