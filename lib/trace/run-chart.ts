import { isActive, type RunState } from './run-state';

/** A run as a point: when it was started, how it ended, and its duration in milliseconds once it has ended. */
export interface ChartRun {
  readonly at: number;
  readonly status: RunState;
  readonly durationMs: number | undefined;
}

/** The runs that were started in `[from, to)`, both in epoch milliseconds. */
export interface ChartColumn {
  readonly from: number;
  readonly to: number;
  readonly runs: number;
  readonly failed: number;
  readonly active: number;
  /** Half of the ended runs took at most `p50` milliseconds, and 95 of 100 at most `p95`. `undefined` without an ended run. */
  readonly p50?: number | undefined;
  readonly p95?: number | undefined;
}

/** Columns without gaps, oldest first. */
export interface RunChart {
  readonly columns: readonly ChartColumn[];
  /** True if older runs were left out. */
  readonly isCut: boolean;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [1, 5, 15, 30]
  .map((each) => each * second)
  .concat(
    [1, 5, 15, 30].map((each) => each * minute),
    [1, 3, 6, 12].map((each) => each * hour),
    [1, 7, 28, 91, 364].map((each) => each * day),
  );
export const mostColumns = 48;

/**
 * Puts runs into at most 48 columns of equal length. Columns begin at whole multiples of their length. If older runs were left out, some
 * runs of the first column may be missing, so that this column is left out too unless it is the only one.
 */
export function chartOf(runs: readonly ChartRun[], isCut: boolean): RunChart {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { at } of runs) {
    first = Math.min(first, at);
    last = Math.max(last, at);
  }
  if (runs.length === 0) return { columns: [], isCut };
  const step = stepFor(first, last);
  const start = Math.floor(first / step) * step;
  const groups: ChartRun[][] = Array.from({ length: Math.floor((last - start) / step) + 1 }, () => []);
  for (const run of runs) groups[Math.floor((run.at - start) / step)]?.push(run);
  const columns = groups.map((group, index) => columnOf(group, start + index * step, step));
  return { columns: isCut && columns.length > 1 ? columns.slice(1) : columns, isCut };
}

function stepFor(first: number, last: number): number {
  const fits = (step: number) => Math.floor(last / step) - Math.floor(first / step) < mostColumns;
  const known = steps.find(fits);
  if (known !== undefined) return known;
  let years = 364 * day;
  while (!fits(years)) years *= 2;
  return years;
}

function columnOf(runs: readonly ChartRun[], from: number, step: number): ChartColumn {
  const durations = runs.flatMap(({ durationMs }) => durationMs ?? []).sort((a, b) => a - b);
  return {
    from,
    to: from + step,
    runs: runs.length,
    failed: runs.filter(({ status }) => status === 'failed').length,
    active: runs.filter(({ status }) => isActive(status)).length,
    p50: quantile(durations, 0.5),
    p95: quantile(durations, 0.95),
  };
}

/** Returns the smallest value that at least this part of the sorted values does not exceed. */
function quantile(sorted: readonly number[], part: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)];
}
