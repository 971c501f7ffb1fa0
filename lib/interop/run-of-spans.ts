import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { sha256 } from '@/lib/base/sha256';
import type { RunEvent } from '@/lib/runtime/record/events';
import { sourceName } from '@/lib/trace/run-source';
import { arrangeSteps } from './log/arrange-steps';
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
  if (own !== undefined) return { source: 'callboard-import', ...own };
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
  return { source, correlationId, events };
}

/** Returns the id of an imported run. The same trace in the same project is always the same run. */
export function importedRunId(projectId: string, key: string): RunId {
  const hash = sha256(new TextEncoder().encode(`import\n${projectId}\n${key}`));
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `a${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ];
  return brandAs<RunId>(parts.join('-'));
}
