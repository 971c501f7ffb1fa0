/** What a trace tells about waiting for people. Times are microseconds since the origin. */
import { type Lane, spanEnd, type Trace } from './trace';

/** Returns since when the run waits for people only and no worker has it; `undefined` if a worker has it. */
export function suspendedSince({ run }: Pick<Trace, 'run'>): number | undefined {
  const last = run.suspended.at(-1);
  return last === undefined || last.until !== undefined ? undefined : last.at;
}

/** Returns the spans of the questions that wait for an answer, in the order in which they were asked. */
export function openQuestions({ questions, spans }: Pick<Trace, 'questions' | 'spans'>): readonly number[] {
  return questions.filter((span) => spans.statusOf(span) === 'open');
}

/** Returns for how long at least one person was asked: the length of the union of all questions. */
export function waitedForPeople(trace: Trace, now: number): number {
  const { questions, spans } = trace;
  let sum = 0;
  let until = Number.NEGATIVE_INFINITY;
  // They are in the order of events, and so of their starts, but for a clock that was set back.
  for (const span of questions) {
    const end = spanEnd(trace, span, now);
    sum += Math.max(0, end - Math.max(spans.start.at(span), until));
    until = Math.max(until, end);
  }
  return sum;
}

/** True for an instance that waits for a person: it asks one, or the whole run waits for what others ask. */
export function isLaneWaiting(
  { run }: Pick<Trace, 'run'>,
  asking: ReadonlyMap<number, number>,
  { index, status }: Pick<Lane, 'index' | 'status'>,
): boolean {
  return status === 'open' && (asking.has(index) || suspendedSince({ run }) !== undefined);
}

/** Returns the number of open questions of each lane. */
export function openByLane(trace: Pick<Trace, 'questions' | 'spans'>): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const span of openQuestions(trace)) {
    const lane = trace.spans.lane.at(span);
    counts.set(lane, (counts.get(lane) ?? 0) + 1);
  }
  return counts;
}
