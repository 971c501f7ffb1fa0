import { addFigures, type Figures, laneFigures, type MeasuredRun, noFigures } from '@/lib/trace/figures';
import type { Trace } from '@/lib/trace/trace';
import type { RunComparison } from './compare-runs';

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

export function deltaOf(a: Figures = noFigures, b: Figures = noFigures): Figures {
  return {
    time: b.time - a.time,
    input: b.input - a.input,
    output: b.output - a.output,
    cost: a.cost === undefined || b.cost === undefined ? undefined : b.cost - a.cost,
    models: b.models - a.models,
    tools: b.tools - a.tools,
    errors: b.errors - a.errors,
  };
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
