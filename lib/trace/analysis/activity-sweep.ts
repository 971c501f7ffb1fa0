/** Where the time of a run went, from one sweep over the own times of all nodes. */
import { activities, eachOwnPiece, type WorkTree } from './work-tree';

/** What a run's time is divided into. `idle` is time in which no instance existed, such as between two workers. */
export const shares = [...activities, 'idle'] as const;
export type Share = (typeof shares)[number];

/** Microseconds of each share. Together they are as long as the run. */
export type Occupancy = Readonly<Record<Share, number>>;

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
