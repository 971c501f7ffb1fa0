import type { Trace } from './trace';

/**
 * Returns the span that an event started, or else the one that it ended. Links name a span by the `seq` of its event. The
 * event that starts an instance ends its wait too.
 */
export function spanOfSeq(trace: Trace, seq: number): number | undefined {
  const { startSeq, endSeq, length } = trace.spans;
  let ended: number | undefined;
  for (let span = 0; span < length; span++) {
    if (startSeq.at(span) === seq) return span;
    if (endSeq.at(span) === seq) ended ??= span;
  }
  return ended;
}
