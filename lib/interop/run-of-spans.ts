import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/record/events';
import { sourceName } from '@/lib/trace/run-source';
import { arrangeSteps } from './log/arrange-steps';
import { withLinkedEvents } from './log/linked-events';
import { logOfSteps } from './log/log-of-steps';
import { withOrigin } from './log/origin';
import type { ReceivedSpan } from './otlp/received-span';
import { eventsOfOwnSpans } from './own/events-of-own-spans';
import { marksOfSpans } from './spans/marks-of-spans';
import { asText } from './spans/reading/span-reader';
import { groupOfSpans, sourceOfSpans } from './spans/source-of-spans';
import { stepOfSpan } from './spans/step-of-span';

/** A run as an import makes it. */
export interface RunToStore {
  readonly source: string;
  readonly correlationId: CorrelationId;
  readonly events: readonly RunEvent[];
}

/** Makes the run of one trace from all its spans. They may be in any order. Returns `undefined` without spans. */
export function runOfSpans(runId: RunId, spans: readonly ReceivedSpan[]): RunToStore | undefined {
  if (spans.length === 0) return undefined;
  const own = eventsOfOwnSpans(runId, spans);
  if (own !== undefined) return { source: 'callboard-import', ...own, events: withLinkedEvents(own.events) };
  const source = sourceOfSpans(spans);
  const correlationId = brandAs<CorrelationId>(groupOfSpans(spans));
  const recordedBy = sourceName(source) ?? source;
  const name = asText(spans[0]?.resource['service.name']) || 'trace';
  const found = marksOfSpans(spans);
  const marks = Object.keys(found).length === 0 ? undefined : found;
  const events = logOfSteps(arrangeSteps(withOrigin(spans.map(stepOfSpan), spans)), {
    ...{ runId, correlationId, name, recordedBy, marks },
    spanCount: spans.length,
  });
  return { source, correlationId, events: withLinkedEvents(events) };
}
