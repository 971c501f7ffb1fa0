import { addUsage, noUsage, type Usage } from '@/lib/runtime/record/messages';
import { failureTest } from './failures';
import { kindCodes } from './span';
import { type Lane, spanName, type Trace } from './trace';

/** A part of a run, in microseconds since its origin. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** True if something from `start` to `end` has a part in the stretch. What has no length may lie at its ends. */
export function overlaps({ from, to }: Stretch, start: number, end: number): boolean {
  return start === end ? start >= from && start <= to : start < to && end > from;
}

/**
 * Returns a run whose lanes have the usage and the errors of the calls that overlap a stretch. Spans are those of the whole run. A lane
 * whose calls all overlap keeps its usage as it is. Of other lanes the tokens are those of the calls; a cost that a trace recorded is
 * known for the whole lane alone, so these calls are priced by the list.
 */
export function traceInWindow(trace: Trace, stretch: Stretch): Trace {
  const { spans, lanes } = trace;
  const parts = lanes.map(() => ({ usage: noUsage, asked: new Map<string, Usage>(), calls: 0, left: 0, errors: 0 }));
  const hasFailed = failureTest(trace);
  for (let span = 0; span < spans.length; span++) {
    const part = parts[spans.lane.at(span)];
    if (part === undefined) continue;
    const isIn = overlaps(stretch, spans.start.at(span), spans.end.at(span));
    if (isIn && hasFailed(span)) part.errors++;
    if (spans.kind.at(span) !== kindCodes.model || spans.endSeq.at(span) === 0) continue;
    part.calls++;
    if (!isIn) {
      part.left++;
      continue;
    }
    const used = usageOfCall(trace, span);
    part.usage = addUsage(part.usage, used);
    const model = spanName(trace, span);
    if (model !== lanes[spans.lane.at(span)]?.model)
      part.asked.set(model, addUsage(part.asked.get(model) ?? noUsage, used));
  }
  return {
    ...trace,
    lanes: lanes.map((lane, index) => {
      const { usage, asked, calls, left, errors } = parts[index] ?? nothing;
      const isWhole =
        calls > 0 ? left === 0 : overlaps(stretch, lane.queuedAt, lane.endedAt ?? Number.POSITIVE_INFINITY);
      return isWhole ? { ...lane, errors } : { ...lane, errors, usage, askedUsage: Object.fromEntries(asked) };
    }),
  };
}

const nothing: { usage: Usage; asked: ReadonlyMap<string, Usage>; calls: number; left: number; errors: number } = {
  ...{ usage: noUsage, asked: new Map(), calls: 0, left: 0, errors: 0 },
};

function usageOfCall({ spans }: Pick<Trace, 'spans'>, span: number): Usage {
  return {
    inputTokens: spans.inputTokens.at(span),
    outputTokens: spans.outputTokens.at(span),
    cachedInputTokens: spans.cachedTokens.at(span),
    reasoningTokens: spans.reasoningTokens.at(span),
    modelCalls: 1,
  };
}

/** Returns for how long an instance ran within a stretch, without its wait, in microseconds. */
export function runningTimeIn(
  { startedAt, endedAt }: Pick<Lane, 'startedAt' | 'endedAt'>,
  now: number,
  { from, to }: Stretch,
): number {
  return startedAt === undefined ? 0 : Math.max(0, Math.min(endedAt ?? now, to) - Math.max(startedAt, from));
}
