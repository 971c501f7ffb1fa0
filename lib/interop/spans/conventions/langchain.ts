import { asText, isObject } from '@/lib/interop/spans/reading/span-reader';
import { usageOfSpan } from '@/lib/interop/spans/reading/usage-of-span';
import { type Convention, hasAttribute, isScope, kindIn } from './convention';
import { observationKinds } from './openinference';

/** LangChain's own plumbing around the nodes of a graph. `agent`, `tools` and other nodes are not among these. */
const plumbing =
  /^(?:ChannelWrite<.*>|Branch<.*>|RunnableSequence|RunnableLambda|RunnableParallel<.*>|RunnableCallable|__start__)$/;

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
  isNoise: (span) => isOurs(span) && plumbing.test(span.name),
};

/** LangChain, by OpenInference and by LangSmith. */
export const langChain: Convention = {
  source: { key: 'langchain', isFrom: (span) => isScope(/langchain/i)(span) || hasAttribute('langsmith.')(span) },
  kind: (_, reader) => kindIn(observationKinds, reader.text('langsmith.span.kind')),
  read: ({ reader, kind }) => {
    if (kind !== 'model' || !reader.has('gen_ai.usage.input_token_details')) return undefined;
    const details = reader.value('gen_ai.usage.input_token_details');
    const usage = usageOfSpan(reader);
    if (usage === undefined || !isObject(details) || typeof details.cache_read !== 'number') return undefined;
    return { usage: { ...usage, cachedInputTokens: details.cache_read } };
  },
};
