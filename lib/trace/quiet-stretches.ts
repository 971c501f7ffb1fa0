/**
 * The stretches of a run in which nothing worked: people were asked, calls waited for permits, or no worker had the run.
 *
 *   call      ├──── works ────┤            ├─ works ─┤
 *   question                  ├─ asked ────┤
 *   quiet                     ├────────────┤
 *
 * An instance works while its steps do. One without steps works for as long as it is there, because nobody knows what it did.
 */
import { kindCodes } from './span';
import { NO_SPAN, sourceCodes } from './span-table';
import type { Trace } from './trace';

/** An instance with more spans has steps. */
const mostOfBare = 8;

/** Microseconds since the run's origin. A stretch that has not ended ends at infinity. */
export interface QuietStretch {
  readonly from: number;
  readonly to: number;
}

export interface QuietTime {
  /** In order of time. */
  readonly stretches: readonly QuietStretch[];
  /** For how long something worked, until the last event, in microseconds. */
  readonly busy: number;
}

/**
 * Returns when nothing worked, for at least `least` microseconds. Open steps reach to `now`, in microseconds since the origin. The last
 * stretch of a run that goes on has no end.
 */
export function quietTime(trace: Trace, least: number, now: number, goesOn: boolean): QuietTime {
  const { spans } = trace;
  const pieces = busyPieces(trace);
  const stretches: QuietStretch[] = [];
  let busy = 0;
  let reached = 0;
  const takeWork = (from: number, to: number) => {
    if (from - reached >= least) stretches.push({ from: reached, to: from });
    busy += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  };
  const take = (start: number, to: number) => {
    let from = start;
    // No worker has a run that is suspended, whatever is open.
    for (const { at, until = Number.POSITIVE_INFINITY } of trace.run.suspended) {
      if (at >= to || until <= from) continue;
      if (at > from) takeWork(from, at);
      from = until;
    }
    if (from <= to) takeWork(from, to);
  };
  let later = 0;
  for (let span = 0; span < spans.length; span++) {
    const start = spans.start.at(span);
    for (let piece = pieces.later[later]; piece !== undefined && piece.from <= start; piece = pieces.later[++later])
      take(piece.from, Math.min(piece.to, now));
    take(start, Math.max(start, Math.min(pieces.firstEnd(span), now)));
  }
  for (const piece of pieces.later.slice(later)) take(piece.from, Math.min(piece.to, now));
  const end = Math.max(now, trace.lastAt);
  if (end - reached >= least) stretches.push({ from: reached, to: goesOn ? Number.POSITIVE_INFINITY : end });
  return { stretches, busy };
}

interface Pieces {
  /** Returns when the work of a span ends that begins with it: its start, if it does no work. */
  firstEnd(span: number): number;
  /** The work of spans after somebody was asked, in order of time. */
  readonly later: readonly QuietStretch[];
}

/** Cuts what is asked of people out of the steps that wait for it. */
function busyPieces(trace: Trace): Pieces {
  const { spans } = trace;
  const works = workTest(trace);
  const asked = askedWithin(trace);
  const later: QuietStretch[] = [];
  for (const [span, stretches] of asked) {
    if (!works(span)) continue;
    const end = spans.end.at(span);
    let from = Number.POSITIVE_INFINITY;
    for (const [place, stretch] of stretches.entries()) {
      if (place > 0 && from < Math.min(stretch.from, end)) later.push({ from, to: Math.min(stretch.from, end) });
      // A hook that began later did nothing before.
      from = place === 0 ? Math.max(stretch.to, spans.start.at(span)) : Math.max(from, stretch.to);
    }
    if (from < end) later.push({ from, to: end });
  }
  return {
    firstEnd(span) {
      if (!works(span)) return spans.start.at(span);
      return Math.min(spans.end.at(span), asked.get(span)?.[0]?.from ?? Number.POSITIVE_INFINITY);
    },
    later: later.sort((a, b) => a.from - b.from),
  };
}

/** Returns a test for spans that are work themselves: not what waits for a child, for a permit or for a person. */
function workTest({ spans, lanes }: Trace): (span: number) => boolean {
  const hasChild = new Set(lanes.flatMap(({ parentSpan }) => (parentSpan === undefined ? [] : [parentSpan])));
  const isBare = new Set<number>();
  for (const lane of lanes) {
    const own = [...lane.spans.ids.data.subarray(0, Math.min(lane.spans.length, mostOfBare + 1))];
    const kinds = new Set(own.map((span) => spans.kind.at(span)));
    const steps =
      kinds.size - [kindCodes.instance, kindCodes.queued, kindCodes.framework].filter((kind) => kinds.has(kind)).length;
    if (lane.children.length === 0 && own.length <= mostOfBare && steps === 0) for (const span of own) isBare.add(span);
  }
  return (span) => {
    const kind = spans.kind.at(span);
    if (kind === kindCodes.instance) return isBare.has(span);
    if (kind === kindCodes.tool) return spans.source.at(span) !== sourceCodes.agent || !hasChild.has(span);
    return kind === kindCodes.model || kind === kindCodes.hook || kind === kindCodes.setup;
  };
}

/**
 * Returns what is asked within each span, in order of time: a question is within its call, everything that waits for that, and the hooks
 * around it.
 */
function askedWithin({ spans, questions }: Trace): ReadonlyMap<number, readonly QuietStretch[]> {
  const asked = new Map<number, QuietStretch[]>();
  for (const question of questions) {
    const stretch = { from: spans.start.at(question), to: spans.end.at(question) };
    for (let span = spans.parent.at(question); span !== NO_SPAN; span = spans.parent.at(span)) {
      const known = asked.get(span);
      if (known === undefined) asked.set(span, [stretch]);
      else known.push(stretch);
    }
  }
  if (asked.size === 0) return asked;
  for (let span = 0; span < spans.length; span++) {
    const stretches = spans.kind.at(span) === kindCodes.hook ? asked.get(spans.parent.at(span)) : undefined;
    if (stretches !== undefined) asked.set(span, stretches);
  }
  return asked;
}
