import type { ImportedKind } from '@/lib/interop/log/imported-step';
import { type Convention, hasAttribute, kindIn } from './convention';

/** `openinference.span.kind`, `langfuse.observation.type`, `mlflow.spanType` and `langsmith.span.kind`, in lower case. */
export const observationKinds: Readonly<Record<string, ImportedKind>> = {
  agent: 'agent',
  llm: 'model',
  generation: 'model',
  chat_model: 'model',
  embedding: 'model',
  tool: 'tool',
  retriever: 'tool',
  reranker: 'tool',
  guardrail: 'hook',
  evaluator: 'hook',
  chain: 'step',
  workflow: 'step',
  task: 'step',
  prompt: 'step',
  parser: 'step',
  memory: 'step',
  span: 'step',
  event: 'step',
  unknown: 'step',
};

/** OpenInference of Arize, which instruments LangChain, LlamaIndex, CrewAI, OpenAI Agents and many others. */
export const openInference: Convention = {
  source: { key: 'openinference', isFrom: hasAttribute('openinference.') },
  kind: (_, reader) => kindIn(observationKinds, reader.text('openinference.span.kind')),
  names: {
    agentName: ['agent.name', 'graph.node.id'],
    model: ['llm.model_name', 'embedding.model_name'],
    provider: ['llm.provider', 'llm.system'],
    toolName: ['tool.name'],
    callId: ['tool_call.id', 'tool.id'],
    result: ['retrieval.documents'],
    input: ['input.value'],
    output: ['output.value'],
    finish: ['llm.finish_reason'],
    params: ['llm.invocation_parameters'],
    inputTokens: ['llm.token_count.prompt'],
    outputTokens: ['llm.token_count.completion'],
    cachedTokens: ['llm.token_count.prompt_details.cache_read'],
    writtenTokens: ['llm.token_count.prompt_details.cache_write'],
    reasoningTokens: ['llm.token_count.completion_details.reasoning'],
    costUsd: ['llm.cost.total'],
    firstTokenMs: ['llm.time_to_first_token_ms'],
  },
};
