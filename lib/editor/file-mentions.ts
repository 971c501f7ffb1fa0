/** A piece of a text. With `file`, it names a place in a file of the project. Lines and columns count from 1. */
export interface TextPiece {
  readonly text: string;
  readonly place?: { readonly file: string; readonly line: number; readonly column: number };
}

/**
 * Matches `hooks.ts:12`, `agent-cards/lead.md:3:5` and Python's `File "tools.py", line 12`. Lengths are limited, and a match begins where
 * a path can begin, so that the time grows with the length of the text.
 */
const mention =
  /File "(?<quoted>[^"\n]{1,300})", line (?<at>\d{1,7})|(?<![\w@./\\-])(?<path>[\w@./\\-]{1,300}\.\w{1,10}):(?<line>\d{1,7})(?::(?<column>\d{1,7}))?/g;

/** Splits a text at the places of files that it names. Joined, the pieces are the text. Files that the project does not have stay text. */
export function fileMentions(text: string, files: Iterable<string>): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  const known = [...files];
  let from = 0;
  for (const { 0: match, index, groups = {} } of text.matchAll(mention)) {
    const { quoted, at, path, line, column } = groups;
    const file = fileOf(quoted ?? path ?? '', known);
    if (file === undefined) continue;
    if (index > from) pieces.push({ text: text.slice(from, index) });
    pieces.push({ text: match, place: { file, line: Number(at ?? line), column: Number(column ?? 1) } });
    from = index + match.length;
  }
  if (from < text.length || pieces.length === 0) pieces.push({ text: text.slice(from) });
  return pieces;
}

/**
 * Returns the file that a path means: the one with that path; otherwise the one whose path ends an absolute path, as a run has it in its
 * working copy; otherwise the only one that ends with it.
 */
function fileOf(written: string, files: readonly string[]): string | undefined {
  const path = written.replaceAll('\\', '/').replace(/^(?:\.{1,2}\/)+/, '');
  if (path === '') return undefined;
  if (files.includes(path)) return path;
  const [longest] = files.filter((file) => path.endsWith(`/${file}`)).sort((a, b) => b.length - a.length);
  if (longest !== undefined) return longest;
  const [only, ...others] = files.filter((file) => file.endsWith(`/${path}`));
  return others.length === 0 ? only : undefined;
}
