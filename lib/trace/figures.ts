/**
 * What each figure of a run counts. docs/runs.md (Figures) says the same in words. Header, insight, comparison, list, filters, CSV
 * and API take their figures from here, and the cost of a run from ./cost.
 */
import { addLaneCost, type Cost, noCost } from './cost';
import { kindCodes } from './span';
import type { SpanTable } from './span-table';
import type { Trace } from './trace';
import { overlaps, runningTimeIn, type Stretch, traceInWindow } from './window-trace';

/** What an instance, an agent or a run took. Times are in microseconds. */
export interface Figures {
  /** How long the instances ran, without waiting in a queue; of a run, how long it took. */
  readonly time: number;
  readonly input: number;
  readonly output: number;
  /** US dollars; `undefined` if a price is not known. */
  readonly cost: number | undefined;
  readonly models: number;
  readonly tools: number;
  readonly errors: number;
}

export const noFigures: Figures = {
  time: 0,
  input: 0,
  output: 0,
  cost: 0,
  models: 0,
  tools: 0,
  errors: 0,
};

/** A run with the moment up to which its open spans count, in microseconds since its origin. */
export interface MeasuredRun {
  readonly trace: Trace;
  readonly now: number;
  /** Counts this part alone: calls that overlap it, and of durations what lies inside. By default the whole run counts. */
  readonly window?: Stretch | undefined;
}

/** Sums all instances of a run. Its time is the length of the run, because instances work at the same time. */
export function runFigures(run: MeasuredRun): Figures {
  const { now, window } = run;
  const sum = laneFigures(run).reduce<Figures | undefined>(addFigures, undefined) ?? noFigures;
  return {
    ...sum,
    time: window === undefined ? now : Math.max(0, Math.min(window.to, now) - Math.max(window.from, 0)),
  };
}

/** Returns the figures of each lane, without those of its children. */
export function laneFigures({ trace, now, window }: MeasuredRun): readonly Figures[] {
  const { spans, lanes, run } = window === undefined ? trace : traceInWindow(trace, window);
  const tools = new Uint32Array(lanes.length);
  for (let span = 0; span < spans.length; span++) {
    if (spans.kind.at(span) !== kindCodes.tool || !hasOwnEnd(spans, span)) continue;
    if (window !== undefined && !overlaps(window, spans.start.at(span), spans.end.at(span))) continue;
    const lane = spans.lane.at(span);
    tools[lane] = (tools[lane] ?? 0) + 1;
  }
  return lanes.map((lane) => ({
    time: runningTimeIn(lane, now, window ?? always),
    input: lane.usage.inputTokens,
    output: lane.usage.outputTokens,
    cost: wholeCost(addLaneCost(noCost, lane, run.askedAs)),
    models: lane.usage.modelCalls,
    tools: tools[lane.index] ?? 0,
    errors: lane.errors,
  }));
}

export function addFigures(a: Figures | undefined, b: Figures | undefined): Figures | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return {
    time: a.time + b.time,
    input: a.input + b.input,
    output: a.output + b.output,
    cost: a.cost === undefined || b.cost === undefined ? undefined : a.cost + b.cost,
    models: a.models + b.models,
    tools: a.tools + b.tools,
    errors: a.errors + b.errors,
  };
}

/** Returns the number of errors of a run: `failureTest` is true for as many spans. */
export function countErrors({ lanes }: Pick<Trace, 'lanes'>): number {
  return lanes.reduce((sum, { errors }) => sum + errors, 0);
}

/**
 * True for a call whose end is in the log. A call that a crash interrupted has none, and its repetition counts; what ended only
 * with its run does not count.
 */
export function hasOwnEnd(spans: Pick<SpanTable, 'endSeq'>, span: number): boolean {
  return spans.endSeq.at(span) > 0;
}

const always: Stretch = { from: 0, to: Number.POSITIVE_INFINITY };

/**
 * True for the wait of a child for a permit, a session or an instance of a pool. The root is queued while its code is loaded,
 * and waits for none of them.
 */
export function isWaitForPermit(kind: number, parentLane: number | undefined): boolean {
  return kind === kindCodes.queued && parentLane !== undefined;
}

/** Returns for how long at least one child waited for a permit, in microseconds. */
export function waitedForPermits({ spans, lanes, lastAt }: Trace): number {
  const waits: (readonly [start: number, end: number])[] = [];
  for (let span = 0; span < spans.length; span++) {
    if (!isWaitForPermit(spans.kind.at(span), lanes[spans.lane.at(span)]?.parent)) continue;
    waits.push([spans.start.at(span), Math.min(spans.end.at(span), lastAt)]);
  }
  waits.sort(([a], [b]) => a - b);
  let sum = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const [start, end] of waits) {
    sum += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return sum;
}

/** Returns US dollars as far as prices are known; `undefined` if no price is known. */
export function knownCost({ usd, unpriced }: Cost): number | undefined {
  return usd === 0 && unpriced.length > 0 ? undefined : usd;
}

/** Returns US dollars; `undefined` if the price of a part is not known. */
function wholeCost({ usd, unpriced }: Cost): number | undefined {
  return unpriced.length > 0 ? undefined : usd;
}

/**
 * Returns how many output tokens a second a model call gave: from its first token to its end, or in the whole call if the first
 * token is not known. `undefined` without tokens, or if less than a millisecond is left. `us` is the time of the call in microseconds.
 */
export function tokensPerSecond(outputTokens: number, us: number, firstTokenMs?: number): number | undefined {
  const time = us - (firstTokenMs ?? 0) * 1_000;
  return outputTokens === 0 || time < 1_000 ? undefined : outputTokens / (time / 1_000_000);
}
