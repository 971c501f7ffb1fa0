import { diffArrays } from 'diff';

export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added' | 'skipped';
  readonly text: string;
}

/**
 * With more changes than this, the old text is shown as removed and the new one as added, because the search would freeze
 * the page.
 */
const maxChanges = 1_000;
const contextLines = 3;

/**
 * Compares two texts line by line. Long runs of equal lines are folded into one `skipped` line that says how many they are.
 */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const a = before.split('\n');
  const b = after.split('\n');
  const changes = diffArrays(a, b, { maxEditLength: maxChanges });
  if (changes === undefined) return [...linesOf('removed', a), ...linesOf('added', b)];
  return foldEqual(
    changes.flatMap(({ added, removed, value }) => linesOf(added ? 'added' : removed ? 'removed' : 'same', value)),
  );
}

function linesOf(kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ kind, text }));
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
