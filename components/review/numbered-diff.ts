import { type DiffLine, diffLines } from '@/components/ui/line-diff';

export interface NumberedLine extends DiffLine {
  /** The number of the line in the new text, counted from 1. What is not in it has none. */
  readonly number: number | undefined;
}

/** Compares two texts line by line, with the numbers of the new lines. */
export function numberedDiff(before: string, after: string): readonly NumberedLine[] {
  let next = 1;
  return diffLines(before, after).map((line) => {
    if (line.kind === 'removed') return { ...line, number: undefined };
    if (line.kind === 'skipped') {
      // The text of a fold begins with how many lines it has.
      next += Number.parseInt(line.text, 10);
      return { ...line, number: undefined };
    }
    next += 1;
    return { ...line, number: next - 1 };
  });
}
