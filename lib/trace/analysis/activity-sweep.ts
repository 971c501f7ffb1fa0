/**
 * Where the time of a run went, and how much ran at once. Both are read from one sweep over the own times of all nodes.
 */
import { activities, eachOwnPiece, type WorkTree } from './work-tree';

/** What a run's time is divided into. `idle` is time in which no instance existed, such as between two workers. */
export const shares = [...activities, 'idle'] as const;
export type Share = (typeof shares)[number];

/** Microseconds of each share. Together they are as long as the run. */
export type Occupancy = Readonly<Record<Share, number>>;

/** How many of each activity run, from one moment to the next. The last step has no end. */
export interface Concurrency {
  /** The moments at which a number changes, ascending. */
  readonly at: Float64Array;
  readonly model: Uint32Array;
  /** Tools and hooks. */
  readonly tool: Uint32Array;
  readonly waiting: Uint32Array;
  /** The largest number of model calls, tools and hooks at once. */
  readonly most: number;
}

/** Activities that do work. The rest counts only while none of these goes on. */
const work = 4;
const waiting = activities.indexOf('wait');
const person = activities.indexOf('person');
const agent = activities.indexOf('agent');
const kinds = activities.length;

/**
 * Divides the length of the run. Each moment counts once: it is shared equally by the model calls, tools, hooks and setups of
 * that moment. Without any of them it belongs to waiting for a permit, otherwise to waiting for people, otherwise to Callboard's own
 * work, otherwise to nobody.
 */
export function occupancy(tree: WorkTree): Occupancy {
  const spent = new Float64Array(shares.length);
  const add = (share: number, time: number) => {
    spent[share] = (spent[share] ?? 0) + time;
  };
  sweep(tree, (active, from, to) => {
    const time = to - from;
    let working = 0;
    for (let kind = 0; kind < work; kind++) working += active[kind] ?? 0;
    if (working > 0) {
      for (let kind = 0; kind < work; kind++) add(kind, (time * (active[kind] ?? 0)) / working);
    } else if ((active[waiting] ?? 0) > 0) add(waiting, time);
    else if ((active[person] ?? 0) > 0) add(person, time);
    else if ((active[agent] ?? 0) > 0) add(agent, time);
    else add(shares.indexOf('idle'), time);
  });
  const of = (share: Share) => spent[shares.indexOf(share)] ?? 0;
  return {
    model: of('model'),
    tool: of('tool'),
    hook: of('hook'),
    setup: of('setup'),
    wait: of('wait'),
    person: of('person'),
    agent: of('agent'),
    idle: of('idle'),
  };
}

export function concurrency(tree: WorkTree): Concurrency {
  const at: number[] = [];
  const model: number[] = [];
  const tool: number[] = [];
  const queued: number[] = [];
  let most = 0;
  sweep(tree, (active, from) => {
    const models = active[activities.indexOf('model')] ?? 0;
    const tools = (active[activities.indexOf('tool')] ?? 0) + (active[activities.indexOf('hook')] ?? 0);
    const waits = active[waiting] ?? 0;
    const last = at.length - 1;
    most = Math.max(most, models + tools);
    if (last >= 0 && model[last] === models && tool[last] === tools && queued[last] === waits) return;
    at.push(from);
    model.push(models);
    tool.push(tools);
    queued.push(waits);
  });
  return {
    at: Float64Array.from(at),
    model: Uint32Array.from(model),
    tool: Uint32Array.from(tool),
    waiting: Uint32Array.from(queued),
    most,
  };
}

/** Calls `take` for each stretch of the run in which the numbers of activities stay the same. */
function sweep(tree: WorkTree, take: (active: Uint32Array, from: number, to: number) => void): void {
  const active = new Uint32Array(kinds);
  const changes = changesOf(tree);
  const { length } = tree.run;
  let reached = 0;
  for (const change of changes) {
    const code = change % (kinds * 2);
    const moment = Math.min(Math.max((change - code) / (kinds * 2), 0), length);
    if (moment > reached) {
      take(active, reached, moment);
      reached = moment;
    }
    const kind = code >> 1;
    active[kind] = (active[kind] ?? 0) + (code % 2 === 0 ? -1 : 1);
  }
  if (length > reached) take(active, reached, length);
}

/** Returns when activities begin and end, ascending. The kind is in the low digits, so that numbers can be sorted as such. */
function changesOf(tree: WorkTree): Float64Array {
  let pieces = 0;
  eachOwnPiece(tree, () => {
    pieces++;
  });
  const changes = new Float64Array(pieces * 2);
  let at = 0;
  eachOwnPiece(tree, (node, from, to) => {
    const kind = (tree.activity[node] ?? 0) * 2;
    changes[at++] = Math.max(0, Math.round(from)) * kinds * 2 + kind + 1;
    changes[at++] = Math.max(0, Math.round(to)) * kinds * 2 + kind;
  });
  return changes.sort();
}

/** Model calls and tools of the busiest moment of a stretch of a run, and the most that waits at any moment of it. */
export interface ConcurrencyBin {
  readonly model: number;
  readonly tool: number;
  readonly waiting: number;
}

/** Divides the run into stretches of equal length. No peak is lost. */
export function concurrencyBins(steps: Concurrency, length: number, count: number): readonly ConcurrencyBin[] {
  const bins = Array.from({ length: count }, () => ({ model: 0, tool: 0, waiting: 0 }));
  for (let i = 0; i < steps.at.length; i++) {
    const from = Math.floor(((steps.at[i] ?? 0) / Math.max(length, 1)) * count);
    const until = Math.ceil(((steps.at[i + 1] ?? length) / Math.max(length, 1)) * count);
    for (let at = from; at < Math.min(Math.max(until, from + 1), count); at++) {
      const bin = bins[at];
      if (bin === undefined) continue;
      const [model, tool] = [steps.model[i] ?? 0, steps.tool[i] ?? 0];
      if (model + tool > bin.model + bin.tool) [bin.model, bin.tool] = [model, tool];
      bin.waiting = Math.max(bin.waiting, steps.waiting[i] ?? 0);
    }
  }
  return bins;
}
