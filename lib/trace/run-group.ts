import type { RunState } from './run-state';
import type { RunSums } from './run-sums';

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

/** The runs of a correlation id, oldest first, with the sums of all of them. */
export interface RunGroupTimes {
  readonly correlationId: string;
  /** The newest, at most 1,000. */
  readonly runs: readonly GroupRun[];
  readonly sums: RunSums;
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

/** Returns the address of the page of a correlation id. `run` is the run from which somebody comes. */
export function runGroupHref(correlationId: string, run?: string): string {
  return `/runs/group?${new URLSearchParams({ id: correlationId, ...(run !== undefined && { run }) })}`;
}
