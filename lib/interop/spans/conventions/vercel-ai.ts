import { parseJson } from '@/lib/base/json';
import type { ImportedKind } from '@/lib/interop/log/imported-step';
import { asText, isObject, type SpanReader } from '@/lib/interop/spans/reading/span-reader';
import { type Convention, hasAttribute } from './convention';

/** The scope of version 7, which follows the GenAI conventions. */
const scope7 = 'gen_ai';

/** The Vercel AI SDK. `ai.generateText` wraps the whole loop, and `….doGenerate` is one model call. */
export const vercelAi: Convention = {
  source: {
    key: 'vercel-ai',
    isFrom: (span) => span.scope === 'ai' || span.scope === scope7 || hasAttribute('ai.operationId')(span),
  },
  isNoise: ({ scope }, reader) => scope === scope7 && reader.text('gen_ai.operation.name') === 'agent_step',
  kind: ({ name }, reader) =>
    kindOf(reader.text('ai.operationId') ?? (reader.has('gen_ai.operation.name') ? undefined : name)),
  names: {
    agentName: ['ai.telemetry.functionId'],
    model: ['ai.model.id'],
    provider: ['ai.model.provider'],
    toolName: ['ai.toolCall.name'],
    callId: ['ai.toolCall.id'],
    arguments: ['ai.toolCall.args', 'ai.toolCall.input'],
    result: ['ai.toolCall.result', 'ai.toolCall.output'],
    request: ['ai.prompt.messages'],
    finish: ['ai.response.finishReason'],
    inputTokens: ['ai.usage.inputTokens', 'ai.usage.promptTokens', 'ai.usage.tokens'],
    outputTokens: ['ai.usage.outputTokens', 'ai.usage.completionTokens'],
    cachedTokens: ['ai.usage.cachedInputTokens', 'ai.usage.inputTokenDetails.cacheReadTokens'],
    writtenTokens: ['ai.usage.inputTokenDetails.cacheWriteTokens'],
    reasoningTokens: ['ai.usage.reasoningTokens', 'ai.usage.outputTokenDetails.reasoningTokens'],
    firstTokenMs: ['ai.response.msToFirstChunk'],
  },
  jsonTexts: ['ai.toolCall.result', 'ai.toolCall.output'],
  read: ({ span, reader, kind }) => {
    // Version 7 writes every result as JSON, so that a text is in quotes.
    if (kind === 'tool' && span.scope === scope7) return { output: resultIn(reader) };
    // The SDK writes `{system, prompt}` or `{messages}`.
    if (kind !== 'agent' || !reader.has('ai.prompt')) return undefined;
    const prompt = reader.value('ai.prompt');
    if (!isObject(prompt)) return { input: asText(prompt) };
    return { input: typeof prompt.prompt === 'string' ? prompt.prompt : undefined };
  },
};

function resultIn(reader: SpanReader): string | undefined {
  const text = reader.unmarked().text('gen_ai.tool.call.result');
  const result = text === undefined ? undefined : parseJson(text);
  if (typeof result !== 'string') return undefined;
  reader.text('gen_ai.tool.call.result');
  return result;
}

function kindOf(name: string | undefined): ImportedKind | undefined {
  if (name === undefined || !name.startsWith('ai.')) return undefined;
  if (name.startsWith('ai.toolCall')) return 'tool';
  if (/\.do(?:Generate|Stream|Embed|Rerank)/.test(name)) return 'model';
  return /^ai\.(?:generateText|streamText|generateObject|streamObject|agent)/.test(name) ? 'agent' : 'step';
}
