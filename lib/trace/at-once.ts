/**
 * How many model calls and tools run, and how many instances and calls wait, from one moment to the next; and the moment with the most work in each
 * column of a picture. The steps are made once for a trace. A picture of any window then looks at about as many numbers as it has columns:
 *
 *   steps     0 1 2 1 1 3 2 0 │ 0 1 1 …      each with the moment at which it begins
 *   blocks    3               │ 1            the step with the most work of 64 steps, and the most that waits
 */
import { isWaitForPermit } from './figures';
import { kindCodes } from './span';
import { sourceCodes } from './span-table';
import type { Trace } from './trace';

export const atOnceKinds = ['model', 'tool', 'waiting'] as const;
export type AtOnceKind = (typeof atOnceKinds)[number];

type Counts = Readonly<Record<AtOnceKind, Uint32Array>>;

export interface AtOnceSteps {
  /** The moments at which a number changes, ascending, in microseconds since the origin. The last step has no end. */
  readonly at: Float64Array;
  readonly counts: Counts;
  readonly blocks: Blocks;
}

interface Blocks {
  /** The first step of each block at which most model calls and tools run. */
  readonly busiest: Uint32Array;
  /** The most that waits at a step of each block. */
  readonly waiting: Uint32Array;
}

const blockSteps = 64;
/** The place of tools in `atOnceKinds`. */
const toolKind = 1;

/** Makes the steps of a trace. An open span has no end, so that the steps of a run that goes on stay true while time passes. */
export function atOnceSteps({ spans, questions, lanes }: Trace): AtOnceSteps {
  // The kind and the direction are in the low digits of a moment, so that plain numbers can be sorted.
  const changes = new Float64Array((spans.length + questions.length) * 2);
  let count = 0;
  const add = (kind: number, span: number, begins: 0 | 1) => {
    const from = spans.start.at(span);
    const to = spans.end.at(span);
    if (kind < 0 || to <= from) return;
    changes[count++] = from * 6 + kind * 2 + begins;
    if (to !== Number.POSITIVE_INFINITY) changes[count++] = to * 6 + kind * 2 + (1 - begins);
  };
  for (let span = 0; span < spans.length; span++) {
    const kind = spans.kind.at(span);
    if (kind === kindCodes.queued && !isWaitForPermit(kind, lanes[spans.lane.at(span)]?.parent)) continue;
    add(kindOf(kind, spans.source.at(span)), span, 1);
  }
  // A tool does not run while its call waits for a person.
  for (const question of questions) {
    const call = spans.parent.at(question);
    if (call >= 0 && kindOf(spans.kind.at(call), spans.source.at(call)) === toolKind) add(toolKind, question, 0);
  }
  const sorted = changes.subarray(0, count).sort();
  const at = new Float64Array(count);
  const counts = blank(count);
  const open = [0, 0, 0];
  let steps = 0;
  for (const change of sorted) {
    const code = change % 6;
    const moment = (change - code) / 6;
    const kind = code >> 1;
    open[kind] = (open[kind] ?? 0) + (code % 2 === 1 ? 1 : -1);
    if (steps === 0 || at[steps - 1] !== moment) at[steps++] = moment;
    for (const [i, name] of atOnceKinds.entries()) counts[name][steps - 1] = open[i] ?? 0;
  }
  const kept = {
    model: counts.model.subarray(0, steps),
    tool: counts.tool.subarray(0, steps),
    waiting: counts.waiting.subarray(0, steps),
  };
  return { at: at.subarray(0, steps), counts: kept, blocks: blocksOf(kept, steps) };
}

export interface AtOnceColumns {
  /** Model calls and tools of one moment, that with the most of both together; and the most that waits at any moment of the column. */
  readonly counts: Counts;
  /** The largest sum of a column, at least 1. */
  readonly highest: number;
  /** The most model calls and tools at once. */
  readonly most: number;
  /** How many numbers were looked at, for tests. */
  readonly looked: number;
}

/** The time of a picture, in microseconds since the origin. */
export interface TimeInColumns {
  readonly from: number;
  readonly to: number;
  /** Nothing is known after it. */
  readonly now: number;
  /** Returns where a column begins and the one before it ends. Without it, all are equally long. */
  readonly edge?: (column: number) => number;
}

/** Returns how much runs and waits in `columns` stretches, and nothing for stretches after `now`. No peak is lost, however narrow. */
export function atOnceColumns(steps: AtOnceSteps, time: TimeInColumns, columns: number): AtOnceColumns {
  const { at } = steps;
  const counts = blank(columns);
  const each = (time.to - time.from) / columns;
  const { now, edge = (column: number) => time.from + each * column } = time;
  let first = lastAtOrBefore(at, edge(0));
  let highest = 1;
  let most = 0;
  let looked = 0;
  for (let column = 0; column < columns; column++) {
    const from = edge(column);
    if (from > now) break;
    const until = edge(column + 1);
    // A step that begins with the column replaces the one before.
    if ((at[first + 1] ?? Number.POSITIVE_INFINITY) <= from) first++;
    let after = Math.max(first, 0);
    let busiest = -1;
    while (after < at.length && (at[after] ?? 0) < until) {
      const whole = after % blockSteps === 0 && (at[after + blockSteps] ?? Number.POSITIVE_INFINITY) <= until;
      const block = whole && after + blockSteps <= at.length ? after / blockSteps : undefined;
      const step = block === undefined ? after : (steps.blocks.busiest[block] ?? 0);
      if (workAt(steps.counts, step) > workAt(steps.counts, busiest)) busiest = step;
      const waits = block === undefined ? steps.counts.waiting[after] : steps.blocks.waiting[block];
      raise(counts.waiting, column, waits ?? 0);
      after += block === undefined ? 1 : blockSteps;
      looked++;
    }
    const { model, tool, waiting } = counts;
    model[column] = steps.counts.model[busiest] ?? 0;
    tool[column] = steps.counts.tool[busiest] ?? 0;
    const working = workAt(counts, column);
    most = Math.max(most, working);
    highest = Math.max(highest, working + (waiting[column] ?? 0));
    // The last step may go on in the next column.
    first = Math.max(after - 1, first);
  }
  return { counts, highest, most, looked };
}

function kindOf(kind: number, source: number): number {
  if (kind === kindCodes.model) return 0;
  if (kind === kindCodes.tool) return source === sourceCodes.agent ? -1 : toolKind;
  return kind === kindCodes.queued || kind === kindCodes.waiting ? 2 : -1;
}

function blank(length: number): Counts {
  return { model: new Uint32Array(length), tool: new Uint32Array(length), waiting: new Uint32Array(length) };
}

function blocksOf(counts: Counts, steps: number): Blocks {
  const length = Math.ceil(steps / blockSteps);
  const blocks = { busiest: new Uint32Array(length), waiting: new Uint32Array(length) };
  for (let step = 0; step < steps; step++) {
    const block = Math.floor(step / blockSteps);
    if (step % blockSteps === 0) blocks.busiest[block] = step;
    if (workAt(counts, step) > workAt(counts, blocks.busiest[block] ?? 0)) blocks.busiest[block] = step;
    raise(blocks.waiting, block, counts.waiting[step] ?? 0);
  }
  return blocks;
}

/** Returns how many model calls and tools run at a step. */
function workAt({ model, tool }: Counts, step: number): number {
  return (model[step] ?? 0) + (tool[step] ?? 0);
}

function raise(numbers: Uint32Array, index: number, to: number): void {
  if (to > (numbers[index] ?? 0)) numbers[index] = to;
}

/** Returns the place of the last moment at or before `moment`; -1 if there is none. */
function lastAtOrBefore(at: Float64Array, moment: number): number {
  let low = 0;
  let high = at.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((at[middle] ?? 0) <= moment) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
