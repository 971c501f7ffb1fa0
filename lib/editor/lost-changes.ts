import type { Folder, FolderFile } from '@/lib/cards/folder';
import { sameFile } from '@/lib/cards/same-file';
import { withSameEnds } from './line-ends';
import { mergeLines } from './merge-lines';

/** Returns the files with a change from `base` to `theirs` that `mine` does not have, sorted. The folders need only files that may have one. */
export function lostChanges(base: Folder, mine: Folder, theirs: Folder): readonly string[] {
  const paths = [...new Set([...base.keys(), ...theirs.keys()])].sort();
  return paths.filter((path) => loses(base.get(path), mine.get(path), theirs.get(path)));
}

function loses(base: FolderFile | undefined, mine: FolderFile | undefined, theirs: FolderFile | undefined): boolean {
  if (sameFile(base, theirs) || sameFile(mine, theirs)) return false;
  if (sameFile(base, mine) || theirs?.kind !== 'text' || mine?.kind !== 'text') return true;
  const was = base?.kind === 'text' ? base.text : '';
  return mergeLines(...withSameEnds(was, mine.text, theirs.text)).some((chunk) => {
    if (chunk.kind === 'theirs') return true;
    return chunk.kind === 'clash' && losesLines(chunk.base, chunk.mine, chunk.theirs);
  });
}

/**
 * True if `mine` lacks a line that `theirs` added, has one that `theirs` removed, or has other lines where `theirs` only has fewer. Lines
 * that replace a removed line and lines beside it cannot be told apart, so they count as lost.
 */
function losesLines(base: readonly string[], mine: readonly string[], theirs: readonly string[]): boolean {
  const [was, my, their] = [countsOf(base), countsOf(mine), countsOf(theirs)];
  for (const line of new Set([...was.keys(), ...their.keys()])) {
    const [before, now, ours] = [was.get(line) ?? 0, their.get(line) ?? 0, my.get(line) ?? 0];
    if (now > before && ours < now) return true;
    if (now < before && ours > now) return true;
  }
  return total(their) < total(was) && total(my) > total(their);
}

/** Counts the lines that are not blank, whatever their ends. */
function countsOf(lines: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const text = line.trimEnd();
    if (text !== '') counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
