import { diffArrays } from 'diff';
import { textLines } from '@/lib/base/text-lines';

/** The lines, counted from 1, that only one of two texts has at their place. */
export interface ChangedLines {
  readonly before: ReadonlySet<number>;
  readonly after: ReadonlySet<number>;
}

/** With more changes than this, a line counts as changed if the other text has it nowhere. */
const maxChanges = 2_000;

/** Compares two texts by lines. A text that is not there has no lines. Ends of lines and spaces at them count as nothing. */
export function changedLines(before: string | undefined, after: string | undefined): ChangedLines {
  const [a, b] = [linesOf(before), linesOf(after)];
  const parts = diffArrays(a, b, { maxEditLength: maxChanges });
  if (parts === undefined) return { before: missingIn(a, b), after: missingIn(b, a) };
  const [gone, fresh] = [new Set<number>(), new Set<number>()];
  let [old, now] = [1, 1];
  for (const { added, removed, count } of parts) {
    for (let index = 0; index < count; index += 1) {
      if (added) fresh.add(now + index);
      if (removed) gone.add(old + index);
    }
    if (!added) old += count;
    if (!removed) now += count;
  }
  return { before: gone, after: fresh };
}

export function linesOf(text: string | undefined): string[] {
  return text === undefined ? [] : textLines(text).map((line) => line.text.trimEnd());
}

function missingIn(lines: readonly string[], others: readonly string[]): ReadonlySet<number> {
  const known = new Set(others);
  return new Set(lines.flatMap((line, index) => (known.has(line) ? [] : [index + 1])));
}
