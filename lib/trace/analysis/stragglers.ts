/**
 * Steps that took much longer than others of their kind: children of one template below one parent, calls of one tool, calls
 * of one model. A straggler takes more than one and a half times the median and lies above the upper fence (the third
 * quartile and one and a half times the distance between the quartiles).
 */
import { kindCodes } from '@/lib/trace/span';
import { sourceCodes } from '@/lib/trace/span-table';
import { nameOf, type RunColumns } from './run-columns';

export interface Straggler {
  readonly span: number;
  readonly duration: number;
  /** The median of its group. */
  readonly median: number;
  /** The number of spans in its group. */
  readonly of: number;
}

export interface Stragglers {
  /** Those that took the most time beyond their median, first. */
  readonly list: readonly Straggler[];
  /** The number of all stragglers; the list may be shorter. */
  readonly count: number;
}

/** A group with fewer members has no stragglers. */
const fewest = 4;
const mostListed = 200;
/** A shorter excess than this (microseconds) is no straggler. */
const leastExcess = 1000;

export function stragglersOf(run: RunColumns): Stragglers {
  const groups = new Map<string, number[]>();
  for (let span = 0; span < run.count; span++) {
    if (run.outside?.[span] === 1) continue;
    const key = groupOf(run, span);
    if (key === undefined) continue;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [span]);
    else known.push(span);
  }
  const list = [...groups.values()].flatMap((spans) => stragglersIn(run, spans));
  list.sort((a, b) => b.duration - b.median - (a.duration - a.median) || a.span - b.span);
  return { list: list.slice(0, mostListed), count: list.length };
}

function groupOf(run: RunColumns, span: number): string | undefined {
  switch (run.kind[span]) {
    case kindCodes.instance: {
      const lane = run.lanes[run.lane[span] ?? 0];
      return lane?.parent === undefined ? undefined : `i${lane.parent}\n${lane.agentName}`;
    }
    case kindCodes.model:
      return `m${nameOf(run, span)}`;
    case kindCodes.tool:
      // A delegation takes as long as its child, which is in a group of its own.
      return run.source[span] === sourceCodes.agent ? undefined : `t${nameOf(run, span)}`;
    default:
      return undefined;
  }
}

function stragglersIn(run: RunColumns, spans: readonly number[]): readonly Straggler[] {
  if (spans.length < fewest) return [];
  const sorted = Float64Array.from(spans, (span) => durationOf(run, span)).sort();
  const median = quantile(sorted, 0.5);
  const third = quantile(sorted, 0.75);
  const fence = third + 1.5 * (third - quantile(sorted, 0.25));
  return spans.flatMap((span) => {
    const duration = durationOf(run, span);
    const isOne = duration > fence && duration > 1.5 * median && duration - median >= leastExcess;
    return isOne ? [{ span, duration, median, of: spans.length }] : [];
  });
}

export function durationOf({ start, end }: RunColumns, span: number): number {
  return Math.max(0, (end[span] ?? 0) - (start[span] ?? 0));
}

/** Returns the value at a share of an ascending list, by the nearest rank; 0 for an empty list. */
export function quantile(ascending: Float64Array, share: number): number {
  return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? 0;
}
