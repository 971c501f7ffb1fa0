import type { Json } from '@/lib/base/json';
import type { ReceivedSpan } from '@/lib/interop/otlp/received-span';
import { messageOf } from '@/lib/interop/spans/reading/read-messages';
import { asText, isObject, parsed, type SpanReader } from '@/lib/interop/spans/reading/span-reader';
import type { StepFields } from '@/lib/interop/spans/reading/step-fields';
import { type Convention, hasAttribute, isScope } from './convention';

/**
 * LangChain's own plumbing around the nodes of a graph. `agent`, `tools` and other nodes are not among these. `prompt` puts the messages of
 * a prebuilt agent together, unless a program gave a node that name.
 */
const plumbing =
  /^(?:ChannelWrite<.*>|Branch<.*>|RunnableSequence|RunnableLambda|RunnableParallel<.*>|RunnableCallable|__start__|prompt)$/;

const isOurs = (span: Parameters<ReturnType<typeof isScope>>[0]) =>
  /langchain|langgraph/i.test(span.scope) || hasAttribute('langsmith.')(span);

export const langGraph: Convention = {
  source: {
    key: 'langgraph',
    isFrom: (span) =>
      span.name === 'LangGraph' ||
      isScope(/langgraph/i)(span) ||
      asText(span.attributes.metadata)?.includes('"langgraph_') === true,
  },
  isNoise: (span) => isOurs(span) && plumbing.test(span.name) && !(span.name === 'prompt' && nodeOf(span) === 'prompt'),
};

/** Returns the node of the graph that a span is a part of. */
function nodeOf({ attributes }: ReceivedSpan): Json | undefined {
  const metadata = parsed(attributes.metadata ?? null);
  return isObject(metadata) ? metadata.langgraph_node : attributes['langsmith.metadata.langgraph_node'];
}

/** LangChain, by OpenInference and by LangSmith, whose spans `langsmith.ts` reads. */
export const langChain: Convention = {
  source: { key: 'langchain', isFrom: (span) => isScope(/langchain/i)(span) || hasAttribute('langsmith.')(span) },
  read: ({ span, reader, kind }) => (kind === 'tool' && isOurs(span) ? toolFields(reader) : undefined),
};

/** A graph gives the result of a tool as a message, which has the id of the call. */
function toolFields(reader: SpanReader): StepFields | undefined {
  const output = reader.unmarked().factValue('output');
  const given = isObject(output) && isObject(output.output) ? output.output : output;
  if (!isObject(given) || !isObject(given.kwargs)) return undefined;
  const [result, ...others] = messageOf(given).results;
  if (result === undefined || others.length > 0) return undefined;
  return { output: result.text, callId: result.callId };
}
