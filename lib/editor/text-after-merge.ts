/**
 * Returns what a field shows after changes of others came into the document while a person types. The document may hold less than what
 * is typed, for example no spaces at the end. Returns `undefined` if the field shows the value of the document.
 *
 *   typed `Help `, the document has `Help`, others add a line ──▶ `First.\nHelp `
 */
export function textAfterMerge(
  typed: string,
  /** The value of the document before and after the merge. */
  { before, after }: { readonly before: string; readonly after: string },
): string | undefined {
  if (before === after || typed.trim() === after.trim()) return typed;
  const words = typed.trimEnd();
  const lastLine = words.slice(words.lastIndexOf('\n') + 1);
  const isAtEnd = words !== typed && lastLine.trim() !== '' && after.endsWith(lastLine);
  return isAtEnd ? after + typed.slice(words.length) : undefined;
}
