import type { Trace } from './trace';

/**
 * Finds a span of a trace in a later version of the same run, whose spans have other numbers: one of the same kind and name that
 * starts at the same time. Of several, it is the first in the same lane that the same event began, if there is one. Returns
 * `undefined` if it is not there any more.
 */
export function sameSpan(before: Trace, span: number, after: Trace): number | undefined {
  if (span >= before.spans.length) return undefined;
  const kind = before.spans.kind.at(span);
  const name = before.strings[before.spans.name.at(span)];
  const start = before.spans.start.at(span) + 1000 * ((before.origin ?? 0) - (after.origin ?? 0));
  const lane = after.laneByPath.get(before.lanes[before.spans.lane.at(span)]?.path ?? '');
  const seq = before.spans.startSeq.at(span);
  let found: number | undefined;
  let likeness = -1;
  for (let other = 0; other < after.spans.length; other++) {
    const isThere = Math.abs(after.spans.start.at(other) - start) < 1 && after.spans.kind.at(other) === kind;
    if (!isThere || after.strings[after.spans.name.at(other)] !== name) continue;
    const like = (after.spans.lane.at(other) === lane ? 2 : 0) + (after.spans.startSeq.at(other) === seq ? 1 : 0);
    if (like > likeness) [found, likeness] = [other, like];
  }
  return found;
}

/** Returns the lanes of a later version that have the paths of these lanes. */
export function sameLanes(before: Trace, lanes: ReadonlySet<number>, after: Trace): ReadonlySet<number> {
  const found = [...lanes].map((lane) => after.laneByPath.get(before.lanes[lane]?.path ?? ''));
  return new Set(found.filter((lane) => lane !== undefined));
}
