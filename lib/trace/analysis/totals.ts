/** Totals of durations by template, instance, tool, hook and model. */
import { kindCodes } from '@/lib/trace/span';
import { sourceCodes } from '@/lib/trace/span-table';
import { detailOf, hasFailed, nameOf, type RunColumns } from './run-columns';
import { durationOf, quantile } from './stragglers';
import { ownTimes, type WorkTree } from './work-tree';

export const totalKinds = ['agent', 'instance', 'tool', 'hook', 'model'] as const;
export type TotalKind = (typeof totalKinds)[number];

/** Microseconds; `count` and `failed` are numbers of calls or instances. */
export interface Total {
  /** Unique within its kind: the agent's name, the path of the instance, or the name with what tells equal names apart. */
  readonly key: string;
  readonly name: string;
  /** The server of a tool, the agent and the phase of a hook; empty for others. */
  readonly note: string;
  readonly count: number;
  /** Without what its steps took: the children of an instance, the hooks of a tool call, what a hook wraps. */
  readonly own: number;
  readonly total: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
  readonly failed: number;
  /** The span that took longest; -1 if none was counted, such as for an instance that only waited. */
  readonly slowest: number;
}

export interface TotalTable {
  readonly rows: readonly Total[];
  /** The row of each span; -1 for none. All spans of an instance have its row, also those that the row does not sum. */
  readonly rowOf: Int32Array;
}

export type Totals = Readonly<Record<TotalKind, TotalTable>>;

interface Sum {
  readonly index: number;
  readonly name: string;
  readonly note: string;
  readonly durations: number[];
  own: number;
  failed: number;
  slowest: number;
}

export function totalsOf(tree: WorkTree, own: Float64Array = ownTimes(tree)): Totals {
  const ownOf = ownWithBodies(tree, own);
  return {
    agent: tableOf('agent', tree.run, ownOf),
    instance: tableOf('instance', tree.run, ownOf),
    tool: tableOf('tool', tree.run, ownOf),
    hook: tableOf('hook', tree.run, ownOf),
    model: tableOf('model', tree.run, ownOf),
  };
}

function tableOf(kind: TotalKind, run: RunColumns, ownOf: Float64Array): TotalTable {
  const rowOf = new Int32Array(run.count).fill(-1);
  const rows = new Map<string, Sum>();
  for (let span = 0; span < run.count; span++) {
    if (run.outside?.[span] === 1) continue;
    const place = placeIn(kind, run, span);
    if (place === undefined) continue;
    let sum = rows.get(place.key);
    if (sum === undefined) {
      const { name, note } = place;
      sum = { index: rows.size, name, note, durations: [], own: 0, failed: 0, slowest: -1 };
      rows.set(place.key, sum);
    }
    rowOf[span] = sum.index;
    if (place.counts) addTo(sum, run, span, ownOf[span] ?? 0);
  }
  return { rows: [...rows].map(([key, sum]) => totalOf(key, sum)), rowOf };
}

/** The body of a tool is the tool's own time. */
function ownWithBodies({ run, size, span }: WorkTree, own: Float64Array): Float64Array {
  const sums = own.slice(0, run.count);
  for (let node = run.count; node < size; node++) {
    const of = span[node] ?? 0;
    sums[of] = (sums[of] ?? 0) + (own[node] ?? 0);
  }
  return sums;
}

interface Place {
  readonly key: string;
  readonly name: string;
  readonly note: string;
  /** False for steps of an instance and for calls without an end, which belong to the row and are no part of its sums. */
  readonly counts: boolean;
}

function placeIn(kind: TotalKind, run: RunColumns, span: number): Place | undefined {
  const of = run.kind[span];
  const name = nameOf(run, span);
  const lane = run.lanes[run.lane[span] ?? 0];
  const isLost = run.lost[span] === 1;
  switch (kind) {
    case 'agent':
      return lane && { key: lane.agentName, name: lane.agentName, note: '', counts: of === codes.instance };
    case 'instance':
      return lane && { key: lane.path, name: lane.instanceName, note: '', counts: of === codes.instance };
    case 'tool': {
      if (of !== codes.tool) return undefined;
      const note = run.source[span] === agentSource ? 'agent' : detailOf(run, span);
      return { key: toolKey(name, note), name, note, counts: !isLost };
    }
    case 'hook': {
      if (of !== codes.hook) return undefined;
      const note = `${lane?.agentName ?? ''} · ${detailOf(run, span)}`;
      return { key: `${name}\n${note}`, name, note, counts: !isLost };
    }
    case 'model':
      return of === codes.model ? { key: name, name, note: '', counts: !isLost } : undefined;
  }
}

/** Returns the key of a tool's row. The note is its server, or `agent` for a delegation. */
export function toolKey(name: string, note: string): string {
  return `${name}\n${note}`;
}

const codes = {
  instance: kindCodes.instance,
  tool: kindCodes.tool,
  hook: kindCodes.hook,
  model: kindCodes.model,
};
const agentSource = sourceCodes.agent;

function addTo(sum: Sum, run: RunColumns, span: number, own: number): void {
  const duration = durationOf(run, span);
  if (sum.slowest < 0 || duration > durationOf(run, sum.slowest)) sum.slowest = span;
  sum.durations.push(duration);
  sum.own += own;
  if (hasFailed(run, span)) sum.failed++;
}

function totalOf(key: string, { name, note, durations, own, failed, slowest }: Sum): Total {
  const ascending = Float64Array.from(durations).sort();
  return {
    key,
    name,
    note,
    count: durations.length,
    own,
    total: durations.reduce((sum, duration) => sum + duration, 0),
    p50: quantile(ascending, 0.5),
    p95: quantile(ascending, 0.95),
    max: quantile(ascending, 1),
    failed,
    slowest,
  };
}
