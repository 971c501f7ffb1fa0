import { asText } from '@/lib/interop/spans/reading/span-reader';
import { type Convention, hasAttribute, isScope } from './convention';

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

/** LangChain, by OpenInference and by LangSmith, whose spans `langsmith.ts` reads. */
export const langChain: Convention = {
  source: { key: 'langchain', isFrom: (span) => isScope(/langchain/i)(span) || hasAttribute('langsmith.')(span) },
};
