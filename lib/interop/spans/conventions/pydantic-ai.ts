import { type Convention, isScope } from './convention';

const scope = /^pydantic[-_]ai/;

/** Pydantic AI. Its first versions named their spans in words. */
export const pydanticAi: Convention = {
  source: { key: 'pydantic-ai', isFrom: isScope(/pydantic[-_]ai/) },
  kind: (span, reader) => {
    const { name } = span;
    if (!scope.test(span.scope) || reader.has('gen_ai.operation.name')) return undefined;
    if (name === 'agent run') return 'agent';
    if (/^running tool: /.test(name)) return 'tool';
    return name.startsWith('chat ') ? 'model' : 'step';
  },
  names: {
    agentName: ['agent_name'],
    model: ['model_name'],
    output: ['final_result'],
    request: ['pydantic_ai.all_messages'],
    cachedTokens: ['gen_ai.usage.details.cache_read_tokens', 'gen_ai.usage.details.cached_tokens'],
    writtenTokens: ['gen_ai.usage.details.cache_write_tokens'],
    reasoningTokens: ['gen_ai.usage.details.reasoning_tokens'],
    costUsd: ['operation.cost'],
  },
  isNoise: (span) => scope.test(span.scope) && /^running (?:\d+ tools?|tools)$/.test(span.name),
};
