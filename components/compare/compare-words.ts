import { kindWord } from '@/components/timeline/span-words';
import type { Difference, DifferenceKind } from '@/lib/trace/compare/compare-runs';
import { spanTitle, type Trace } from '@/lib/trace/trace';
import { formatCount, formatDuration } from '@/lib/trace/wording';

/** Returns what differs, in words. What was asked and answered has other words for each kind of step. */
export function differenceWords(what: DifferenceKind, kind: string | undefined): string {
  switch (what) {
    case 'only-a':
      return 'only in A';
    case 'only-b':
      return 'only in B';
    case 'name':
      return 'another step in its place';
    case 'asked':
      return kind === 'model' ? 'other request' : kind === 'instance' ? 'other input' : 'other arguments';
    case 'answered':
      return kind === 'tool' ? 'other result' : kind === 'hook' ? 'other changes' : 'other answer';
  }
}

export interface DescribedDifference {
  readonly title: string;
  readonly kind: string;
  readonly instance: string;
  readonly words: string;
}

/** Describes a difference by the step of a, or of b if only b has it. */
export function describeDifference(a: Trace, b: Trace, one: Difference): DescribedDifference {
  const [trace, span] = one.a === undefined ? [b, one.b ?? 0] : [a, one.a];
  const kind = trace.spans.kindOf(span);
  const other = one.what === 'name' && one.b !== undefined ? ` → ${spanTitle(b, one.b)}` : '';
  return {
    title: `${spanTitle(trace, span)}${other}`,
    kind: kindWord(trace, span),
    instance: trace.lanes[trace.spans.lane.at(span)]?.instanceName ?? '',
    words: differenceWords(one.what, kind === 'queued' ? 'instance' : kind),
  };
}

/** Writes a difference of durations, such as `+1.2 s` or `−300 ms`. Less than a microsecond is `=`. */
export function deltaTime(us: number): string {
  return Math.abs(us) < 1 ? '=' : `${us > 0 ? '+' : '−'}${formatDuration(Math.abs(us))}`;
}

export function deltaCount(count: number): string {
  return count === 0 ? '=' : `${count > 0 ? '+' : '−'}${formatCount(Math.abs(count))}`;
}

/** Writes a difference of costs. It is never `=` for costs that differ, however little: `+$0.00002`. */
export function deltaCost(usd: number | undefined): string {
  if (usd === undefined) return '?';
  const size = Math.abs(usd);
  if (size < leastCost) return '=';
  const text = size < 0.001 ? smallCost(size) : size < 1 ? size.toFixed(4) : size.toFixed(2);
  return `${usd > 0 ? '+' : '−'}$${text}`;
}

/** A difference below this many dollars is noise of floating-point sums, because a token costs more. */
const leastCost = 1e-10;

/** Writes an amount with two digits that are not 0. */
function smallCost(usd: number): string {
  return usd.toFixed(1 - Math.floor(Math.log10(usd)));
}
