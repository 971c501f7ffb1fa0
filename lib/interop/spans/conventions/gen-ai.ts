import type { ImportedKind } from '@/lib/interop/log/imported-step';
import { type Convention, kindIn } from './convention';
import { genAiToolFields } from './gen-ai-tools';

/** Values of `gen_ai.operation.name`, by the GenAI semantic conventions of OpenTelemetry and what frameworks add. */
const operations: Readonly<Record<string, ImportedKind>> = {
  invoke_agent: 'agent',
  create_agent: 'step',
  invoke_workflow: 'agent',
  workflow: 'agent',
  plan: 'step',
  chat: 'model',
  completion: 'model',
  text_completion: 'model',
  generate_content: 'model',
  responses: 'model',
  response: 'model',
  embeddings: 'model',
  embedding: 'model',
  execute_tool: 'tool',
  retrieval: 'tool',
  rerank: 'tool',
  load_skill: 'tool',
  execute_skill: 'tool',
  search_memory: 'tool',
  update_memory: 'tool',
  upsert_memory: 'tool',
  create_memory: 'tool',
  delete_memory: 'tool',
  create_memory_store: 'tool',
  delete_memory_store: 'tool',
  guardrail: 'hook',
  handoff: 'tool',
};

/** The GenAI conventions of OpenTelemetry in all their generations. */
export const genAi: Convention = {
  kind: (_, reader) => kindIn(operations, reader.text('gen_ai.operation.name')),
  failure: (_, reader) => {
    if (kindIn(operations, reader.text('gen_ai.operation.name')) !== 'model') return undefined;
    const reasons = reader.unmarked().value('gen_ai.response.finish_reasons');
    const hasFailed = Array.isArray(reasons) && reasons.length > 0 && reasons.every((reason) => reason === 'error');
    return hasFailed ? { code: 'error', message: 'The model call ended with an error.' } : undefined;
  },
  read: ({ reader, kind }) => (kind === 'tool' ? genAiToolFields(reader) : undefined),
  names: {
    agentName: ['gen_ai.agent.name', 'gen_ai.workflow.name'],
    model: ['gen_ai.request.model', 'gen_ai.response.model'],
    provider: ['gen_ai.provider.name', 'gen_ai.system'],
    toolName: ['gen_ai.tool.name'],
    callId: ['gen_ai.tool.call.id'],
    serverName: ['gen_ai.tool.server'],
    arguments: ['gen_ai.tool.call.arguments'],
    result: ['gen_ai.tool.call.result', 'gen_ai.retrieval.documents'],
    instructions: ['gen_ai.system_instructions'],
    request: ['gen_ai.input.messages'],
    answer: ['gen_ai.output.messages'],
    finish: ['gen_ai.response.finish_reasons', 'gen_ai.response.finish_reason'],
    inputTokens: ['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens'],
    outputTokens: ['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens'],
    cachedTokens: [
      'gen_ai.usage.cache_read.input_tokens',
      'gen_ai.usage.cache_read_input_tokens',
      'gen_ai.usage.cached_input_tokens',
    ],
    writtenTokens: [
      'gen_ai.usage.cache_creation.input_tokens',
      'gen_ai.usage.cache_write.input_tokens',
      'gen_ai.usage.cache_creation_input_tokens',
      'gen_ai.usage.cache_write_input_tokens',
    ],
    reasoningTokens: ['gen_ai.usage.reasoning.output_tokens', 'gen_ai.usage.reasoning_tokens'],
    costUsd: ['gen_ai.usage.cost', 'gen_ai.usage.total_cost'],
    firstTokenSeconds: ['gen_ai.response.time_to_first_chunk', 'gen_ai.server.time_to_first_token'],
    errorCode: ['error.type'],
    errorMessage: ['error.message'],
  },
};

/** Spans that have attributes of the GenAI conventions and do not name their operation. */
export const genAiWithoutOperation: Convention = {
  kind: (_, reader) => {
    if (reader.has('gen_ai.tool.name') || reader.has('gen_ai.tool.call.id')) return 'tool';
    if (reader.has('gen_ai.request.model') || reader.has('llm.model_name')) return 'model';
    if (reader.has('gen_ai.agent.name')) return 'agent';
    return reader.has('gen_ai.operation.name') ? 'step' : undefined;
  },
};
