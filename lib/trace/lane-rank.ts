import { addLaneCost, noCost } from './cost';
import type { Trace } from './trace';

export type LaneMeasure = 'duration' | 'cost' | 'errors';

/**
 * Returns the number by which lanes are compared: the time of an instance, or the cost or the failures of its whole branch. Of
 * models without a price the tokens count, as a millionth of a dollar each.
 */
export function laneRank(trace: Trace, by: LaneMeasure, now: number): (lane: number) => number {
  const values = new Float64Array(trace.lanes.length);
  for (const lane of trace.lanes) {
    if (by === 'duration') values[lane.index] = (lane.endedAt ?? now) - (lane.startedAt ?? lane.queuedAt);
    else if (by === 'errors') values[lane.index] = lane.errors;
    else {
      const { usd, unpriced } = addLaneCost(noCost, lane, trace.run.askedAs);
      const tokens = lane.usage.inputTokens + lane.usage.outputTokens;
      values[lane.index] = usd + (unpriced.length > 0 ? tokens / 1_000_000 : 0);
    }
  }
  if (by !== 'duration') {
    // A parent has a lower number than its children, so one pass from the end adds whole branches.
    for (let index = values.length - 1; index >= 0; index--) {
      const parent = trace.lanes[index]?.parent;
      if (parent !== undefined) values[parent] = (values[parent] ?? 0) + (values[index] ?? 0);
    }
  }
  return (lane) => values[lane] ?? 0;
}
