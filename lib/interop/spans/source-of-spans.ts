import type { ReceivedSpan } from '@/lib/interop/otlp/received-span';
import { longestCorrelationId } from '@/lib/trace/run-group';
import { conventions } from './conventions/list';
import { asText } from './reading/span-reader';

/** Returns the key of the framework that recorded the spans (`lib/trace/run-source.ts` has their names). */
export function sourceOfSpans(spans: readonly ReceivedSpan[]): string {
  for (const { source } of conventions) if (source !== undefined && spans.some(source.isFrom)) return source.key;
  return 'opentelemetry';
}

const groupKeys = [
  'gen_ai.conversation.id',
  'session.id',
  'langfuse.session.id',
  'callboard.correlation_id',
  'group_id',
  'openai.agents.group_id',
  'gcp.vertex.agent.session_id',
  'traceloop.association.properties.session_id',
  // The names by which LangSmith groups traces as threads.
  'langsmith.metadata.session_id',
  'langsmith.metadata.thread_id',
  'langsmith.metadata.conversation_id',
];

/**
 * Returns the id that groups runs: the first that any span has, otherwise that of the first trace that a span links to, otherwise the
 * id of the trace itself.
 */
export function groupOfSpans(spans: readonly ReceivedSpan[]): string {
  const first = spans.find(({ parentId }) => parentId === undefined);
  for (const key of groupKeys) {
    for (const span of first === undefined ? spans : [first, ...spans]) {
      const value = asText(span.attributes[key] ?? undefined);
      if (value !== undefined && value !== '') return value.slice(0, longestCorrelationId);
    }
  }
  const own = spans[0]?.traceId ?? '';
  const linked = spans.flatMap(({ links = [] }) => links).find(({ traceId }) => traceId !== own);
  return linked?.traceId ?? own;
}
