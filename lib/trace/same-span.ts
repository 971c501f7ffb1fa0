import type { Trace } from './trace';

/**
 * Finds a span of a trace in a later version of the same run, whose spans have other numbers: the one of the same kind and name
 * that starts at the same time. Returns `undefined` if it is not there any more.
 */
export function sameSpan(before: Trace, span: number, after: Trace): number | undefined {
  if (span >= before.spans.length) return undefined;
  const kind = before.spans.kind.at(span);
  const name = before.strings[before.spans.name.at(span)];
  const start = before.spans.start.at(span) + 1000 * ((before.origin ?? 0) - (after.origin ?? 0));
  for (let other = 0; other < after.spans.length; other++) {
    const isThere = Math.abs(after.spans.start.at(other) - start) < 1 && after.spans.kind.at(other) === kind;
    if (isThere && after.strings[after.spans.name.at(other)] === name) return other;
  }
  return undefined;
}

/** Returns the lanes of a later version that have the paths of these lanes. */
export function sameLanes(before: Trace, lanes: ReadonlySet<number>, after: Trace): ReadonlySet<number> {
  const found = [...lanes].map((lane) => after.laneByPath.get(before.lanes[lane]?.path ?? ''));
  return new Set(found.filter((lane) => lane !== undefined));
}
