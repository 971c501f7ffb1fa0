import { kindCodes, statusCodes } from '@/lib/trace/span';
import { type SpanSource, toolSources } from '@/lib/trace/span-table';
import type { Trace } from '@/lib/trace/trace';
import type { Paint } from './palette';
import { evenScale, TimeAxis } from './time-scale';

/** The kinds that the strip stacks, from the bottom up, each in the colour of its bars. */
export const activityPaints = ['model', 'mcp', 'function', 'runtime'] as const satisfies readonly Paint[];
export type ActivityPaint = (typeof activityPaints)[number];

/** The number of steps that ran in each slice of the run. The overview strip draws it. */
export interface Activity {
  readonly counts: Readonly<Record<ActivityPaint, Float64Array>>;
  /** 1 for a slice in which a step ended as failed. */
  readonly failed: Uint8Array;
  /** The highest number of steps in any slice. */
  readonly highest: number;
}

/**
 * Counts the steps of each slice in one pass over all spans. Delegations are left out, because their children are counted, and so
 * is the time in which a call waits for a person.
 * Open steps reach to `now`. Slices are equal in time as `scale` draws it.
 */
export function measureActivity(trace: Trace, end: number, slices: number, now = end, scale = evenScale): Activity {
  const blank = () => new Float64Array(slices + 1);
  const counts = { model: blank(), mcp: blank(), function: blank(), runtime: blank() };
  const failed = new Uint8Array(slices);
  const stepsOfSource = toolSources.map((source) => {
    const paint = paintOf[source];
    return paint && counts[paint];
  });
  const { spans } = trace;
  const axis = new TimeAxis({ from: 0, to: Math.max(end, 1) }, slices, scale);
  const sliceOf = (at: number) => Math.min(Math.floor(axis.x(at)), slices - 1);
  // Plain columns and codes, because a replay and a live run measure again many times a second.
  const kinds = spans.kind.data;
  const statuses = spans.status.data;
  const sources = spans.source.data;
  const starts = spans.start.data;
  const ends = spans.end.data;
  const latest = Math.min(now, end);
  for (let i = 0; i < spans.length; i++) {
    const kind = kinds[i];
    const from = sliceOf(starts[i] ?? 0);
    const status = statuses[i];
    const hasFailed = status === statusCodes.error || status === statusCodes.timeout;
    if (hasFailed && kind !== kindCodes.waiting) failed[sliceOf(ends[i] ?? 0)] = 1;
    const isTool = kind === kindCodes.tool;
    if (!isTool && kind !== kindCodes.model) continue;
    const steps = isTool ? stepsOfSource[sources[i] ?? 0] : counts.model;
    if (steps === undefined) continue;
    const until = sliceOf(Math.min(ends[i] ?? 0, latest));
    steps[from] = (steps[from] ?? 0) + 1;
    steps[until + 1] = (steps[until + 1] ?? 0) - 1;
  }
  // A call that waits for a person does not run. Its first and last slices stay, because it may have run in them.
  for (const question of trace.questions) {
    const call = spans.parent.at(question);
    const steps = kinds[call] === kindCodes.tool ? stepsOfSource[sources[call] ?? 0] : undefined;
    const first = sliceOf(starts[question] ?? 0) + 1;
    const after = sliceOf(Math.min(ends[question] ?? 0, latest));
    if (steps === undefined || after <= first) continue;
    steps[first] = (steps[first] ?? 0) - 1;
    steps[after] = (steps[after] ?? 0) + 1;
  }
  for (const paint of activityPaints) {
    const steps = counts[paint];
    for (let i = 1; i < slices; i++) steps[i] = (steps[i] ?? 0) + (steps[i - 1] ?? 0);
  }
  let highest = 1;
  for (let i = 0; i < slices; i++) {
    highest = Math.max(
      highest,
      activityPaints.reduce((sum, paint) => sum + (counts[paint][i] ?? 0), 0),
    );
  }
  return { counts, failed, highest };
}

const paintOf: Readonly<Record<SpanSource, ActivityPaint | undefined>> = {
  mcp: 'mcp',
  function: 'function',
  runtime: 'runtime',
  none: 'runtime',
  agent: undefined,
};
