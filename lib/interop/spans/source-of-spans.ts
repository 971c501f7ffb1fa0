import type { ReceivedSpan } from '@/lib/interop/otlp/received-span';
import { asText } from './span-reader';

/** Returns the key of the framework that recorded the spans (`lib/trace/run-source.ts` has their names). */
export function sourceOfSpans(spans: readonly ReceivedSpan[]): string {
  for (const [source, isIts] of signs) if (spans.some(isIts)) return source;
  return 'opentelemetry';
}

type Sign = (span: ReceivedSpan) => boolean;

const scoped =
  (pattern: RegExp): Sign =>
  ({ scope }) =>
    pattern.test(scope);
const prefixed =
  (prefix: string): Sign =>
  ({ attributes }) =>
    Object.keys(attributes).some((key) => key.startsWith(prefix));

/** The most specific sign is first, because a trace may carry several conventions. */
const signs: readonly (readonly [string, Sign])[] = [
  ['callboard-import', scoped(/^callboard$/)],
  ['fast-agent', ({ resource }) => resource['service.name'] === 'fast-agent'],
  ['fast-agent', ({ name }) => /^(?:Agent|MCP Tool): /.test(name)],
  ['mastra', (span) => /mastra/i.test(span.scope) || prefixed('mastra.')(span)],
  ['openai-agents', (span) => /openai[-_.]agents/i.test(span.scope) || prefixed('openai.agents.')(span)],
  ['langgraph', (span) => span.name === 'LangGraph' || /langgraph/i.test(span.scope) || hasGraphMetadata(span)],
  ['langchain', (span) => /langchain/i.test(span.scope) || prefixed('langsmith.')(span)],
  ['vercel-ai', (span) => span.scope === 'ai' || prefixed('ai.operationId')(span)],
  ['pydantic-ai', scoped(/pydantic[-_]ai/)],
  ['autogen', scoped(/autogen/i)],
  ['crewai', scoped(/crewai/i)],
  ['google-adk', (span) => /gcp\.vertex\.agent|google.adk/.test(span.scope) || prefixed('gcp.vertex.agent.')(span)],
  ['strands', scoped(/strands/i)],
  ['agent-framework', scoped(/agent[-_]framework|semantic[-_]kernel/i)],
  ['llama-index', scoped(/llama[-_]?index/i)],
  ['mlflow', prefixed('mlflow.')],
  ['langfuse', prefixed('langfuse.')],
  ['livekit', prefixed('lk.')],
  ['openinference', prefixed('openinference.')],
  ['openllmetry', prefixed('traceloop.')],
];

function hasGraphMetadata({ attributes }: ReceivedSpan): boolean {
  return asText(attributes.metadata)?.includes('"langgraph_') === true;
}

const groupKeys = [
  'gen_ai.conversation.id',
  'session.id',
  'langfuse.session.id',
  'callboard.correlation_id',
  'group_id',
  'openai.agents.group_id',
];

/** Returns the id that groups runs: the first that any span has, otherwise the trace's. */
export function groupOfSpans(spans: readonly ReceivedSpan[]): string {
  const first = spans.find(({ parentId }) => parentId === undefined);
  for (const key of groupKeys) {
    for (const span of first === undefined ? spans : [first, ...spans]) {
      const value = asText(span.attributes[key] ?? undefined);
      if (value !== undefined && value !== '') return value.slice(0, 500);
    }
  }
  return spans[0]?.traceId ?? '';
}
