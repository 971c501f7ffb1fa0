import { diffArrays } from 'diff';
import { isUnusualEnd, type TextLine, textLines } from '@/lib/base/text-lines';

/** A line as it is shown. */
export interface ShownLine {
  readonly text: string;
  /** The characters that end the line, if they are not the usual ones of the texts. */
  readonly end?: string;
}

export interface DiffLine extends ShownLine {
  readonly kind: 'same' | 'removed' | 'added' | 'skipped';
}

/**
 * With more changes than this, the old text is shown as removed and the new one as added, because the search would freeze
 * the page.
 */
const maxChanges = 1_000;
const contextLines = 3;

/**
 * Compares two texts line by line. Whatever ends a line in code ends it here: also a lone carriage return, and the line and
 * paragraph separators of Unicode. Long runs of equal lines are folded into one `skipped` line that says how many they are.
 */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [a, b] = shownLines(before, after);
  const changes = diffArrays([...a], [...b], { maxEditLength: maxChanges, comparator: isSameLine });
  if (changes === undefined) return [...linesOf('removed', a), ...linesOf('added', b)];
  return foldEqual(
    changes.flatMap(({ added, removed, value }) => linesOf(added ? 'added' : removed ? 'removed' : 'same', value)),
  );
}

/** Returns the lines of two texts that are compared. */
export function shownLines(before: string, after: string): readonly [readonly ShownLine[], readonly ShownLine[]] {
  const [a, b] = [textLines(before), textLines(after)];
  const usual = usualEnd([...a, ...b]);
  const shown = ({ text, end }: TextLine): ShownLine => (isMarked(end, usual) ? { text, end } : { text });
  return [a.map(shown), b.map(shown)];
}

function linesOf(kind: DiffLine['kind'], lines: readonly ShownLine[]): DiffLine[] {
  return lines.map((line) => ({ kind, ...line }));
}

function usualEnd(lines: readonly TextLine[]): '\n' | '\r\n' {
  const windows = lines.filter(({ end }) => end === '\r\n').length;
  return windows > lines.filter(({ end }) => end === '\n').length ? '\r\n' : '\n';
}

function isMarked(end: TextLine['end'], usual: string): boolean {
  return isUnusualEnd(end) || (end !== '' && end !== usual);
}

function isSameLine(a: ShownLine, b: ShownLine): boolean {
  return a.text === b.text && a.end === b.end;
}

function foldEqual(lines: readonly DiffLine[]): DiffLine[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - contextLines), index + contextLines + 1).some((line) => line.kind !== 'same'),
  );
  const folded: DiffLine[] = [];
  let skipped = 0;
  const flush = () => {
    if (skipped > 0) folded.push({ kind: 'skipped', text: `${skipped} equal ${skipped === 1 ? 'line' : 'lines'}` });
    skipped = 0;
  };
  lines.forEach((line, index) => {
    if (near[index]) {
      flush();
      folded.push(line);
    } else skipped++;
  });
  flush();
  return folded;
}
