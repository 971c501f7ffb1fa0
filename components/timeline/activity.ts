import type { Trace } from '@/lib/trace/trace';

/** How many steps ran in each slice of the run: what the overview strip draws. */
export interface Activity {
  readonly model: Float64Array;
  readonly tool: Float64Array;
  /** 1 where a step failed. */
  readonly failed: Uint8Array;
  readonly highest: number;
}

/** One pass over all spans; `slices` is the strip's width. Delegations are left out: their children count themselves. */
export function measureActivity(trace: Trace, end: number, slices: number): Activity {
  const model = new Float64Array(slices + 1);
  const tool = new Float64Array(slices + 1);
  const failed = new Uint8Array(slices);
  const { spans } = trace;
  const scale = slices / Math.max(end, 1);
  for (let i = 0; i < spans.length; i++) {
    const kind = spans.kindOf(i);
    const from = Math.min(Math.floor(spans.start.at(i) * scale), slices - 1);
    const status = spans.statusOf(i);
    if (status === 'error' || status === 'timeout') failed[from] = 1;
    if ((kind !== 'model' && kind !== 'tool') || spans.sourceOf(i) === 'agent') continue;
    const until = Math.min(Math.floor(Math.min(spans.end.at(i), end) * scale), slices - 1);
    const counts = kind === 'model' ? model : tool;
    counts[from] = (counts[from] ?? 0) + 1;
    counts[until + 1] = (counts[until + 1] ?? 0) - 1;
  }
  let highest = 1;
  for (let i = 1; i < slices; i++) {
    model[i] = (model[i] ?? 0) + (model[i - 1] ?? 0);
    tool[i] = (tool[i] ?? 0) + (tool[i - 1] ?? 0);
  }
  for (let i = 0; i < slices; i++) highest = Math.max(highest, (model[i] ?? 0) + (tool[i] ?? 0));
  return { model, tool, failed, highest };
}
