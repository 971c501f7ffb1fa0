import { percentileOf, type TimeBuckets } from './time-buckets';

/** What the figures of a dashboard are shown by, beside time. */
export const dashboardGroups = ['project', 'agent', 'model', 'revision', 'tool'] as const;
export type DashboardGroup = (typeof dashboardGroups)[number];

const hour = 3_600_000;
const day = 24 * hour;

/** The times that a dashboard shows, each up to now, with the length of its columns in milliseconds. */
export const dashboardRanges = {
  '24h': { words: '24 hours', length: day, step: hour },
  '7d': { words: '7 days', length: 7 * day, step: 6 * hour },
  '30d': { words: '30 days', length: 30 * day, step: day },
  '90d': { words: '90 days', length: 90 * day, step: day },
} as const;
export type DashboardRange = keyof typeof dashboardRanges;

/** Returns the columns of a range as times in epoch milliseconds. They begin at whole multiples of their length in UTC. */
export function columnsOfRange(range: DashboardRange, now: number) {
  const { length, step } = dashboardRanges[range];
  const to = (Math.floor(now / step) + 1) * step;
  const from = to - length;
  return { from, to, step, starts: Array.from({ length: length / step }, (_, index) => from + index * step) };
}

/** Sums as the database keeps them: one of a key and a bucket of durations. */
export interface TallyRow<Key> {
  readonly key: Key;
  readonly bucket: number;
  readonly calls: number;
  readonly failed: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly peopleMs: number;
}

/** Figures of runs that have ended, or of calls in them. */
export interface DashboardFigures {
  /** Runs; instances of an agent; calls of a model or tool. */
  readonly calls: number;
  readonly failed: number;
  /** Half, and 95 of 100, took at most so many milliseconds, true to 9 %. `undefined` if none has a duration. */
  readonly p50: number | undefined;
  readonly p95: number | undefined;
  readonly tokens: number;
  /** US dollars as far as prices are known. */
  readonly costUsd: number;
  /** Milliseconds in which at least one person was asked, summed over runs. */
  readonly peopleMs: number;
}

/** Returns the figures of each key, in the order of their first row. */
export function figuresByKey<Key>(rows: readonly TallyRow<Key>[]): ReadonlyMap<Key, DashboardFigures> {
  const sums = new Map<Key, Sums>();
  for (const { key, ...row } of rows) {
    const sum = sums.get(key) ?? { calls: 0, failed: 0, tokens: 0, costUsd: 0, peopleMs: 0, buckets: new Map() };
    sum.buckets.set(row.bucket, (sum.buckets.get(row.bucket) ?? 0) + row.calls);
    sums.set(key, {
      buckets: sum.buckets,
      calls: sum.calls + row.calls,
      failed: sum.failed + row.failed,
      tokens: sum.tokens + row.tokens,
      costUsd: sum.costUsd + row.costUsd,
      peopleMs: sum.peopleMs + row.peopleMs,
    });
  }
  return new Map([...sums].map(([key, sum]) => [key, figuresOf(sum)]));
}

interface Sums extends Omit<DashboardFigures, 'p50' | 'p95'> {
  readonly buckets: Map<number, number>;
}

function figuresOf({ buckets, ...sum }: Sums): DashboardFigures {
  const times: TimeBuckets = buckets;
  return { ...sum, p50: percentileOf(times, 0.5), p95: percentileOf(times, 0.95) };
}

export const noDashboardFigures: DashboardFigures = figuresOf({
  ...{ calls: 0, failed: 0, tokens: 0, costUsd: 0, peopleMs: 0, buckets: new Map() },
});

/** Returns the part of calls that failed, from 0 to 1; `undefined` without calls. */
export function errorRate({ calls, failed }: Pick<DashboardFigures, 'calls' | 'failed'>): number | undefined {
  return calls === 0 ? undefined : failed / calls;
}

/** What a row of a dashboard is about. */
export interface DashboardKey {
  /** The id of a project. `undefined` where things of one name in several projects count together. */
  readonly project: string | undefined;
  readonly projectName: string | undefined;
  /** An agent, model or tool; empty for a project and for runs of drafts. */
  readonly name: string;
  readonly revision: number | undefined;
}

/** The figures of the runs that were started in `[from, to)`, both in epoch milliseconds. */
export interface DashboardColumn extends DashboardFigures {
  readonly from: number;
  readonly to: number;
}

export interface Dashboard {
  readonly range: DashboardRange;
  readonly by: DashboardGroup;
  readonly from: number;
  readonly to: number;
  readonly total: DashboardFigures;
  /** Questions to people that are open now. */
  readonly waiting: number;
  /** One for each column of the range, oldest first. */
  readonly columns: readonly DashboardColumn[];
  /** Those with the most calls, at most 20. */
  readonly groups: readonly (DashboardFigures & { readonly of: DashboardKey })[];
}
