/**
 * What a part of the page wants to have marked among the bars, for example a critical path or stragglers. The bars draw it and
 * know nothing of its meaning.
 */
import type { Trace } from '@/lib/trace/trace';
import type { Paint } from './palette';

export interface SpanMark {
  readonly span: number;
  /** `line`: along the lower edge of the bar. `flag`: a small flag with a word at the start of the bar. */
  readonly look: 'line' | 'flag';
  readonly paint: Paint;
  /** The part of the bar that is meant, in microseconds since the origin. Without it the whole bar is meant. */
  readonly part?: { readonly from: number; readonly to: number };
  /** The word of a flag. It shows where there is room. */
  readonly word?: string;
}

const byLane = new WeakMap<readonly SpanMark[], ReadonlyMap<number, readonly SpanMark[]>>();

/** Returns the marks of one lane. The same array of marks is grouped only once. */
export function marksOfLane(trace: Trace, marks: readonly SpanMark[], lane: number): readonly SpanMark[] {
  const known = byLane.get(marks);
  if (known !== undefined) return known.get(lane) ?? [];
  const groups = new Map<number, SpanMark[]>();
  for (const mark of marks) {
    if (mark.span >= trace.spans.length) continue;
    const at = trace.spans.lane.at(mark.span);
    const group = groups.get(at);
    if (group === undefined) groups.set(at, [mark]);
    else group.push(mark);
  }
  byLane.set(marks, groups);
  return groups.get(lane) ?? [];
}
