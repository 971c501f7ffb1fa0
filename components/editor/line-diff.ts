export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added' | 'skipped';
  readonly text: string;
}

/** Beyond this many cells the middle is shown as removed and added as a whole, instead of freezing the page. */
const cellLimit = 4_000_000;
const contextLines = 3;

/** Lines of two texts side by side, with long equal stretches folded into one `skipped` line that says how many. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const a = before.split('\n');
  const b = after.split('\n');
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const lines: DiffLine[] = [
    ...a.slice(0, head).map((text) => ({ kind: 'same' as const, text })),
    ...diffMiddle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map((text) => ({ kind: 'same' as const, text })),
  ];
  return foldEqual(lines);
}

/** Longest common subsequence, by the table. */
function diffMiddle(a: readonly string[], b: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text });
  const added = (text: string): DiffLine => ({ kind: 'added', text });
  if (a.length * b.length > cellLimit) return [...a.map(removed), ...b.map(added)];
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => table[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    if (left !== undefined && left === right) {
      lines.push({ kind: 'same', text: left });
      i++;
      j++;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(left));
      i++;
    } else if (right !== undefined) {
      lines.push(added(right));
      j++;
    }
  }
  return lines;
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
