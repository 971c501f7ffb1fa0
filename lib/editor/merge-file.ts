import { parseJson } from '@/lib/base/json';
import type { FolderFile } from '@/lib/cards/folder';
import { readingOf } from '@/lib/cards/project/read-folder';
import type { FileReading } from '@/lib/cards/read/file-reading';
import { textFile } from './document';
import { withSameEnds } from './line-ends';
import { mergedText, mergeLines } from './merge-lines';

/** Longer texts are not merged by themselves, because the result is read to see that it is still a card. */
const longest = 200_000;

/**
 * Returns the file with the changes of both sides, or `undefined` if a person must choose: the same lines were changed, a
 * side removed or added the file, it is not text, or the result has a fault that neither side has.
 */
export function mergeFile(
  path: string,
  base: FolderFile | undefined,
  mine: FolderFile | undefined,
  theirs: FolderFile | undefined,
): FolderFile | undefined {
  if (base?.kind !== 'text' || mine?.kind !== 'text' || theirs?.kind !== 'text') return undefined;
  if (Math.max(base.text.length, mine.text.length, theirs.text.length) > longest) return undefined;
  const text = mergedText(mergeLines(...withSameEnds(base.text, mine.text, theirs.text)));
  if (text === undefined) return undefined;
  const merged = textFile(text);
  return isSound(path, merged, base, [mine, theirs]) ? merged : undefined;
}

/** True if the merged file can be read as the files of both sides can, and has no problem that neither of them brought. */
function isSound(
  path: string,
  merged: FolderFile,
  base: FolderFile,
  sides: readonly [FolderFile, FolderFile],
): boolean {
  const [was, mine, theirs, result] = [base, ...sides, merged].map((file) => readingOf(path, file));
  if (was === undefined || mine === undefined || theirs === undefined || result === undefined) return false;
  for (const code of new Set(result.issues.map((issue) => issue.code))) {
    const count = (reading: FileReading) => reading.issues.filter((issue) => issue.code === code).length;
    if (count(result) > Math.max(0, count(mine) + count(theirs) - count(was))) return false;
  }
  if (mine.role === theirs.role && result.role !== mine.role) return false;
  if (mine.card !== undefined && theirs.card !== undefined && result.card === undefined) return false;
  return !path.endsWith('.json') || !sides.every(isJson) || isJson(merged);
}

function isJson(file: FolderFile): boolean {
  return file.kind === 'text' && parseJson(file.text) !== undefined;
}
