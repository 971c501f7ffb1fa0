/**
 * The batches of delegations of a run. Calls that a model asked for together wait for permits of one semaphore, whose size is
 * `max_parallel`.
 *
 *   lead    ├ model ┤                                 ├ model ┤
 *     kid[1]          ├──── runs ────┤
 *     kid[2]          ├──── runs ────────┤            one batch: the calls overlap
 *     kid[3]          ░░░ queued ░░░░├─ runs ────┤
 */
import { kindCodes } from '@/lib/trace/span';
import type { LaneColumns, RunColumns } from './run-columns';
import type { WorkTree } from './work-tree';

/** A delegation of a batch. */
export interface BatchCall {
  /** The tool span of the parent. */
  readonly span: number;
  /** The lanes of its attempts, in order. A call that was refused or answered from a cache may have none that ran. */
  readonly lanes: readonly number[];
  /** When it could have begun with a permit at hand. */
  readonly readyAt: number;
  /** When it had its permit. */
  readonly startedAt: number;
  /** When it gave its permit back: its child had ended. */
  readonly releasedAt: number;
  readonly endedAt: number;
}

export interface Batch {
  /** The lane of the parent. */
  readonly parent: number;
  readonly from: number;
  readonly to: number;
  /** In call order. */
  readonly calls: readonly BatchCall[];
  /** When the last call ended that is not a delegation, if one belongs to the batch. */
  readonly othersEnd: number;
  /** The largest number of calls that ran at once. */
  readonly most: number;
  /** The time that its calls waited for a permit, together. */
  readonly waited: number;
  /** The number of calls that waited. */
  readonly waiting: number;
}

/** A shorter wait than this (microseconds) is no wait. */
const shortestWait = 1000;

/** Returns the batches of all instances, in order of their parents' lanes and of time. `own` are the own times of nodes. */
export function batchesOf(tree: WorkTree, own: Float64Array): readonly Batch[] {
  const { run } = tree;
  const lanesOf = new Map<number, number[]>();
  for (const [index, { parentSpan }] of run.lanes.entries()) {
    if (parentSpan === undefined) continue;
    const known = lanesOf.get(parentSpan);
    if (known === undefined) lanesOf.set(parentSpan, [index]);
    else known.push(index);
  }
  const waits = waitOfLanes(run, own);
  const batches: Batch[] = [];
  for (const [parent, spans] of toolsByLane(run).entries()) {
    for (const group of overlapping(run, spans)) {
      const calls = group
        .filter((span) => lanesOf.has(span))
        .map((span) => callOf(run, span, lanesOf.get(span) ?? [], waits));
      if (calls.length === 0) continue;
      const others = group.filter((span) => !lanesOf.has(span)).map((span) => run.end[span] ?? 0);
      batches.push(batchOf(run, parent, group, calls, others));
    }
  }
  return batches;
}

function batchOf(
  run: RunColumns,
  parent: number,
  group: readonly number[],
  calls: readonly BatchCall[],
  others: readonly number[],
): Batch {
  const inOrder = withRealWaits(calls).toSorted((a, b) => orderOf(run, a) - orderOf(run, b) || a.span - b.span);
  const waits = inOrder.map(({ readyAt, startedAt }) => startedAt - readyAt).filter((wait) => wait >= shortestWait);
  return {
    parent,
    from: group.reduce((least, span) => Math.min(least, run.start[span] ?? 0), Number.POSITIVE_INFINITY),
    to: group.reduce((most, span) => Math.max(most, run.end[span] ?? 0), 0),
    calls: inOrder,
    othersEnd: others.reduce((most, end) => Math.max(most, end), 0),
    most: mostAtOnce(inOrder),
    waited: waits.reduce((sum, wait) => sum + wait, 0),
    waiting: waits.length,
  };
}

/**
 * A call waited for a permit only if another call of its batch gave one back meanwhile. Any other time before its start it spent
 * on getting ready, as every call of the batch does.
 */
function withRealWaits(calls: readonly BatchCall[]): readonly BatchCall[] {
  const releases = Float64Array.from(calls, ({ releasedAt }) => releasedAt).sort();
  const earliest = calls.reduce((least, { startedAt }) => Math.min(least, startedAt), Number.POSITIVE_INFINITY);
  let at = 0;
  return calls
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map((call) => {
      while (at < releases.length && (releases[at] ?? 0) <= call.startedAt) at++;
      const last = at === 0 ? Number.NEGATIVE_INFINITY : (releases[at - 1] ?? 0);
      const waited = last > call.readyAt;
      return { ...call, readyAt: waited ? Math.max(call.readyAt, earliest) : call.startedAt };
    });
}

function orderOf(run: RunColumns, call: BatchCall): number {
  return run.lanes[call.lanes[0] ?? 0]?.order ?? 0;
}

/** Returns the time that each lane waited for a permit. While it waited for a server, it did not wait for a permit. */
function waitOfLanes({ count, kind, lane, lanes }: RunColumns, own: Float64Array): Float64Array {
  const waits = new Float64Array(lanes.length);
  const queued = kindCodes.queued;
  for (let i = 0; i < count; i++) {
    const of = lane[i] ?? 0;
    if (kind[i] === queued) waits[of] = (waits[of] ?? 0) + (own[i] ?? 0);
  }
  return waits;
}

function toolsByLane({ count, kind, lane }: RunColumns): ReadonlyMap<number, number[]> {
  const byLane = new Map<number, number[]>();
  const tool = kindCodes.tool;
  for (let i = 0; i < count; i++) {
    if (kind[i] !== tool) continue;
    const of = lane[i] ?? 0;
    const known = byLane.get(of);
    if (known === undefined) byLane.set(of, [i]);
    else known.push(i);
  }
  return byLane;
}

/** Groups calls of one instance that overlap. A batch ends before the model is asked again. */
function overlapping(run: RunColumns, spans: readonly number[]): readonly (readonly number[])[] {
  const groups: number[][] = [];
  let reached = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    const start = run.start[span] ?? 0;
    const last = groups.at(-1);
    const begins = last === undefined || (start >= reached && start > (run.start[last[0] ?? 0] ?? 0));
    if (begins) groups.push([span]);
    else last.push(span);
    reached = Math.max(reached, run.end[span] ?? 0);
  }
  return groups;
}

function callOf(run: RunColumns, span: number, lanes: readonly number[], waits: Float64Array): BatchCall {
  const [first] = lanes;
  const lane: LaneColumns | undefined = first === undefined ? undefined : run.lanes[first];
  const endedAt = run.end[span] ?? 0;
  const startedAt = Math.min(lane?.startedAt ?? lane?.endedAt ?? endedAt, endedAt);
  const wait = first === undefined ? 0 : (waits[first] ?? 0);
  const left = lanes.reduce((most, index) => Math.max(most, run.lanes[index]?.endedAt ?? endedAt), startedAt);
  return { span, lanes, readyAt: startedAt - wait, startedAt, releasedAt: Math.min(left, endedAt), endedAt };
}

function mostAtOnce(calls: readonly BatchCall[]): number {
  const changes = calls.flatMap(({ startedAt, releasedAt }) =>
    releasedAt > startedAt
      ? [
          { at: startedAt, by: 1 },
          { at: releasedAt, by: -1 },
        ]
      : [],
  );
  changes.sort((a, b) => a.at - b.at || a.by - b.by);
  let now = 0;
  let most = Math.min(calls.length, 1);
  for (const { by } of changes) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}
