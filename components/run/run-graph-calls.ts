import type { PictureNode } from '@/lib/graph/picture';
import { spanDetail, spanName, type Trace } from '@/lib/trace/trace';

/** The calls of a server or of a function by one instance. */
export interface Calls {
  readonly calls: number;
  /** The number of those that are running. */
  readonly live: number;
}

export const noCalls: Calls = { calls: 0, live: 0 };

/**
 * Counts the calls that began up to a moment (microseconds since the origin; without one: so far), by `callKey` and by the lane of
 * their caller. Calls to servers are counted by the server's name, those of functions by the tool's. A refused call does not
 * count, because it reached neither.
 */
export function toolCalls(
  trace: Pick<Trace, 'spans' | 'strings'>,
  moment?: number,
): ReadonlyMap<string, ReadonlyMap<number, Calls>> {
  const byKey = new Map<string, Map<number, Calls>>();
  const { spans } = trace;
  for (let span = 0; span < spans.length; span++) {
    if (spans.kindOf(span) !== 'tool' || spans.has(span, 'refused')) continue;
    if (moment !== undefined && spans.start.at(span) > moment) continue;
    const key = keyOf(trace, span);
    if (key === undefined) continue;
    const byLane = byKey.get(key) ?? new Map<number, Calls>();
    byKey.set(key, byLane);
    const lane = spans.lane.at(span);
    const { calls, live } = byLane.get(lane) ?? noCalls;
    const isLive = spans.end.at(span) > (moment ?? Number.MAX_VALUE);
    byLane.set(lane, { calls: calls + 1, live: live + (isLive ? 1 : 0) });
  }
  return byKey;
}

export function callKey(kind: PictureNode['kind'], name: string): string {
  return `${kind} ${name}`;
}

export function addCalls(a: Calls, b: Calls): Calls {
  return { calls: a.calls + b.calls, live: a.live + b.live };
}

function keyOf(trace: Pick<Trace, 'spans' | 'strings'>, span: number): string | undefined {
  switch (trace.spans.sourceOf(span)) {
    case 'mcp':
      return callKey('server', spanDetail(trace, span) || spanName(trace, span));
    case 'function':
      return callKey('function', spanName(trace, span));
    default:
      return undefined;
  }
}
