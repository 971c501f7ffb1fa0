/**
 * Counts the calls and hooks that have no place in their row: `+45` where 45 of them run at once or too close to each other for
 * counts of their own.
 */
export interface HiddenCalls {
  /** The first of them. */
  readonly span: number;
  count: number;
  /** The stretch that they take, in CSS pixels. */
  readonly left: number;
  right: number;
  /** The y of the strip of counts. */
  readonly y: number;
}

/** Counts closer than this are one. It is the room of a count of four digits. */
export const countApartPx = 34;

/** Adds a call to the counts of its lane, which come in the order of their starts. */
export function countHidden(counts: HiddenCalls[], y: number, span: number, left: number, right: number): void {
  const last = counts.at(-1);
  if (last !== undefined && left < Math.max(last.right, last.left + countApartPx)) {
    last.count++;
    last.right = Math.max(last.right, right);
    return;
  }
  counts.push({ span, count: 1, left, right, y });
}
