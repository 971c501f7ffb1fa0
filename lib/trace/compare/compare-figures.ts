import { addLaneCost, noCost } from '@/lib/trace/cost';
import { kindCodes, statusCodes } from '@/lib/trace/span';
import type { Trace } from '@/lib/trace/trace';
import { tokens } from '@/lib/trace/usage';
import type { RunComparison } from './compare-runs';

/** What an instance, an agent or a run took. Times are in microseconds. */
export interface Figures {
  readonly instances: number;
  readonly time: number;
  readonly input: number;
  readonly output: number;
  /** US dollars; `undefined` if a price is not known. */
  readonly cost: number | undefined;
  readonly models: number;
  readonly tools: number;
  readonly errors: number;
}

export interface ComparedRow {
  /** Unique among the rows. */
  readonly key: string;
  readonly name: string;
  readonly agent: string;
  /** The instances of a row for one instance. */
  readonly laneA: number | undefined;
  readonly laneB: number | undefined;
  readonly depth: number;
  /** `undefined` for a run that has no such row. */
  readonly a: Figures | undefined;
  readonly b: Figures | undefined;
  /** The figures of b minus those of a. A missing side counts as nothing. */
  readonly delta: Figures;
  /** How many differences are in it. */
  readonly differences: number;
}

/** A run with the moment up to which its open spans count, in microseconds since its origin. */
export interface MeasuredRun {
  readonly trace: Trace;
  readonly now: number;
}

export const noFigures: Figures = {
  instances: 0,
  time: 0,
  input: 0,
  output: 0,
  cost: 0,
  models: 0,
  tools: 0,
  errors: 0,
};

/**
 * Returns a row for each pair of instances and for each instance without a partner, in the order of a's timeline. Instances that
 * only b has come after the sibling before them.
 */
export function instanceRows(a: MeasuredRun, b: MeasuredRun, compared: RunComparison): readonly ComparedRow[] {
  const [ofA, ofB] = [laneFigures(a), laneFigures(b)];
  const counts = differencesByLane(a.trace, b.trace, compared);
  return laneOrder(a.trace, b.trace, compared).map(([laneA, laneB]) => {
    const lane = laneA === undefined ? b.trace.lanes[laneB ?? -1] : a.trace.lanes[laneA];
    const [figuresA, figuresB] = [
      laneA === undefined ? undefined : ofA[laneA],
      laneB === undefined ? undefined : ofB[laneB],
    ];
    return {
      key: `${laneA ?? ''}.${laneB ?? ''}`,
      name: lane?.instanceName ?? '',
      agent: lane?.agentName ?? '',
      laneA,
      laneB,
      depth: lane?.depth ?? 0,
      a: figuresA,
      b: figuresB,
      delta: deltaOf(figuresA, figuresB),
      differences: (counts.a[laneA ?? -1] ?? 0) + (counts.b[laneB ?? -1] ?? 0),
    };
  });
}

/** Sums rows of instances by the agent that they are of, in the order in which the agents first come. */
export function agentRows(rows: readonly ComparedRow[]): readonly ComparedRow[] {
  const byAgent = new Map<string, { a: Figures | undefined; b: Figures | undefined; differences: number }>();
  for (const { agent, a, b, differences } of rows) {
    const before = byAgent.get(agent);
    byAgent.set(agent, {
      a: addFigures(before?.a, a),
      b: addFigures(before?.b, b),
      differences: (before?.differences ?? 0) + differences,
    });
  }
  return [...byAgent].map(([agent, sums]) => ({
    key: agent,
    name: agent,
    agent,
    laneA: undefined,
    laneB: undefined,
    depth: 0,
    ...sums,
    delta: deltaOf(sums.a, sums.b),
  }));
}

/** Sums all instances of a run. Its time is that of the run, because instances work at the same time. */
export function runFigures(run: MeasuredRun): Figures {
  const sum = laneFigures(run).reduce<Figures | undefined>(addFigures, undefined) ?? noFigures;
  return { ...sum, time: run.now };
}

export function deltaOf(a: Figures = noFigures, b: Figures = noFigures): Figures {
  return {
    instances: b.instances - a.instances,
    time: b.time - a.time,
    input: b.input - a.input,
    output: b.output - a.output,
    cost: a.cost === undefined || b.cost === undefined ? undefined : b.cost - a.cost,
    models: b.models - a.models,
    tools: b.tools - a.tools,
    errors: b.errors - a.errors,
  };
}

function addFigures(a: Figures | undefined, b: Figures | undefined): Figures | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return {
    instances: a.instances + b.instances,
    time: a.time + b.time,
    input: a.input + b.input,
    output: a.output + b.output,
    cost: a.cost === undefined || b.cost === undefined ? undefined : a.cost + b.cost,
    models: a.models + b.models,
    tools: a.tools + b.tools,
    errors: a.errors + b.errors,
  };
}

/** Returns the figures of each lane, without those of its children. */
function laneFigures({ trace, now }: MeasuredRun): readonly Figures[] {
  const { spans, lanes, run } = trace;
  const tools = new Uint32Array(lanes.length);
  for (let span = 0; span < spans.length; span++) {
    if (spans.kind.at(span) !== kindCodes.tool || spans.status.at(span) === statusCodes.interrupted) continue;
    const lane = spans.lane.at(span);
    tools[lane] = (tools[lane] ?? 0) + 1;
  }
  return lanes.map((lane) => {
    const { usd, unpriced } = addLaneCost(noCost, lane, run.askedAs);
    return {
      instances: 1,
      time: lane.startedAt === undefined ? 0 : Math.max(0, (lane.endedAt ?? now) - lane.startedAt),
      input: lane.usage.inputTokens,
      output: lane.usage.outputTokens,
      cost: unpriced.length > 0 && tokens(lane.usage) > 0 ? undefined : usd,
      models: lane.usage.modelCalls,
      tools: tools[lane.index] ?? 0,
      errors: lane.errors,
    };
  });
}

/** Counts each difference once: in the lane of a, or in that of b for what only b has. */
function differencesByLane(a: Trace, b: Trace, { differences }: RunComparison) {
  const counts = { a: new Uint32Array(a.lanes.length), b: new Uint32Array(b.lanes.length) };
  for (const one of differences) {
    const [of, lane] =
      one.a === undefined ? [counts.b, b.spans.lane.at(one.b ?? 0)] : [counts.a, a.spans.lane.at(one.a)];
    of[lane] = (of[lane] ?? 0) + 1;
  }
  return counts;
}

type RowLanes = readonly [a: number | undefined, b: number | undefined];

function laneOrder(a: Trace, b: Trace, compared: RunComparison): readonly RowLanes[] {
  const rows: RowLanes[] = [];
  const pending = mergeSiblings(a.roots, b.roots, compared).reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    rows.push(next);
    const [laneA, laneB] = next;
    const children = mergeSiblings(childrenIn(a, laneA), childrenIn(b, laneB), compared);
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i];
      if (child !== undefined) pending.push(child);
    }
  }
  return rows;
}

function childrenIn(trace: Trace, lane: number | undefined): readonly number[] {
  return lane === undefined ? [] : (trace.lanes[lane]?.children ?? []);
}

function mergeSiblings(a: readonly number[], b: readonly number[], { laneInA, laneInB }: RunComparison): RowLanes[] {
  const rows: RowLanes[] = [];
  const placeInB = new Map(b.map((lane, place) => [lane, place]));
  let next = 0;
  const addOnlyB = (to: number) => {
    for (; next < to; next++) {
      const lane = b[next];
      if (lane !== undefined && (laneInA[lane] ?? -1) < 0) rows.push([undefined, lane]);
    }
  };
  for (const laneA of a) {
    const laneB = laneInB[laneA] ?? -1;
    if (laneB < 0) rows.push([laneA, undefined]);
    else {
      addOnlyB(placeInB.get(laneB) ?? 0);
      rows.push([laneA, laneB]);
    }
  }
  addOnlyB(b.length);
  return rows;
}
