import type { RunState } from './run-state';
import type { RunSums } from './run-sums';

/** The longest correlation id that a run may have, in UTF-16 units. Those of imports are cut. */
export const longestCorrelationId = 500;

/** False for what no run has as its correlation id, and the database does not take. */
export function isCorrelationId(text: string): boolean {
  return text !== '' && text.length <= longestCorrelationId && !text.includes('\0');
}

/** A run of a correlation id. Times are epoch milliseconds. */
export interface GroupRun {
  readonly id: string;
  readonly projectName: string;
  readonly status: RunState;
  readonly agent: string | undefined;
  /** The beginning of the message. */
  readonly message: string;
  readonly createdAt: number;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
}

/** The runs of a correlation id, oldest first, with their sums. */
export interface RunGroupTimes {
  readonly correlationId: string;
  /** The newest, at most 1,000. */
  readonly runs: readonly GroupRun[];
  /** Those of all runs, or of the newest 10,000. */
  readonly sums: RunSums;
  /** True if there are older runs, which the sums do not have. */
  readonly isCut: boolean;
}

const soonMs = 5_000;
const laterMs = 60_000;

/** Returns after how many milliseconds the group is read again: soon while a run that is drawn goes on. `undefined` if all have ended. */
export function readAgainAfter({ runs, sums }: Pick<RunGroupTimes, 'runs' | 'sums'>): number | undefined {
  if (runs.some(({ status }) => status === 'queued' || status === 'running')) return soonMs;
  // Somebody answers a suspended run after minutes or days.
  return sums.ended < sums.runs ? laterMs : undefined;
}

/** Where a run lies on the axis of its group, as parts of 1. */
export interface GroupBar {
  /** From here to `start` it was in the queue. */
  readonly queued: number;
  readonly start: number;
  readonly end: number;
}

/** The axis of a group, in epoch milliseconds. It is never empty. */
export interface GroupAxis {
  readonly from: number;
  readonly to: number;
}

/** Returns the axis that holds all runs. Runs that go on last until `now`. */
export function axisOfGroup(runs: readonly GroupRun[], now: number): GroupAxis {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const run of runs) {
    from = Math.min(from, run.createdAt);
    to = Math.max(to, endOf(run, now));
  }
  return Number.isFinite(from) ? { from, to: Math.max(to, from + 1) } : { from: now, to: now + 1 };
}

/** Returns where a run lies on an axis that holds it. */
export function barOfRun(run: GroupRun, { from, to }: GroupAxis, now: number): GroupBar {
  const part = (at: number) => Math.min(1, Math.max(0, (at - from) / (to - from)));
  const end = endOf(run, now);
  return { queued: part(run.createdAt), start: part(run.startedAt ?? end), end: part(end) };
}

function endOf({ createdAt, startedAt, finishedAt }: GroupRun, now: number): number {
  return Math.max(createdAt, startedAt ?? createdAt, finishedAt ?? now);
}

/** Returns the runs before and after one of `runs`. */
export function neighboursOf(
  runs: readonly GroupRun[],
  id: string,
): { readonly previous: GroupRun | undefined; readonly next: GroupRun | undefined } {
  const place = runs.findIndex((run) => run.id === id);
  return place === -1 ? { previous: undefined, next: undefined } : { previous: runs[place - 1], next: runs[place + 1] };
}
