import type { Trace } from './trace';

/** Returns the spans of the hooks that wrap a call, in the order in which they began. */
export function hooksAround(trace: Trace, span: number): readonly number[] {
  const lane = trace.lanes[trace.spans.lane.at(span)];
  const found: number[] = [];
  if (lane === undefined || trace.spans.kindOf(span) !== 'tool') return found;
  for (let i = lane.spans.firstReaching(trace.spans.start.at(span)); i < lane.spans.length; i++) {
    const one = lane.spans.ids.at(i);
    if (trace.spans.start.at(one) > trace.spans.end.at(span)) break;
    if (trace.spans.kindOf(one) === 'hook' && trace.spans.parent.at(one) === span) found.push(one);
  }
  return found;
}
