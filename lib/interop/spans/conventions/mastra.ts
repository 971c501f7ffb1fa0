import { brandAs, type CallId } from '@/lib/base/ids';
import type { ImportedKind } from '@/lib/interop/log/imported-step';
import { asText, isObject, type SpanReader } from '@/lib/interop/spans/reading/span-reader';
import type { AssistantMessage } from '@/lib/runtime/record/messages';
import { type Convention, hasAttribute, isScope, kindIn } from './convention';

/** `mastra.span.type`. */
const kinds: Readonly<Record<string, ImportedKind>> = {
  agent_run: 'agent',
  workflow_run: 'agent',
  model_generation: 'model',
  model_step: 'model',
  model_chunk: 'step',
  model_inference: 'model',
  llm_generation: 'model',
  tool_call: 'tool',
  mcp_tool_call: 'tool',
  processor_run: 'hook',
  scorer_run: 'hook',
};

/**
 * There is a span for the whole loop of a model, one for each step of it, one for each part of an answer, and one for the form that a
 * result gets for the model.
 */
const loop: ReadonlySet<string | undefined> = new Set([
  'mapping',
  'model_generation',
  'model_step',
  'model_chunk',
  'llm_generation',
]);

export const mastra: Convention = {
  source: { key: 'mastra', isFrom: (span) => isScope(/mastra/i)(span) || hasAttribute('mastra.')(span) },
  kind: (_, reader) =>
    kindIn(kinds, reader.text('mastra.span.type')) ?? (reader.has('mastra.span.type') ? 'step' : undefined),
  names: {
    input: [
      'mastra.agent_run.input',
      'mastra.workflow_run.input',
      'mastra.model_generation.input',
      'mastra.model_step.input',
    ],
    output: [
      'mastra.agent_run.output',
      'mastra.workflow_run.output',
      'mastra.model_generation.output',
      'mastra.model_step.output',
    ],
  },
  isNoise: (_, reader) => loop.has(reader.text('mastra.span.type')),
  read: ({ reader }) => {
    const type = reader.text('mastra.span.type');
    if (type === 'mcp_tool_call') return { source: 'mcp' };
    return type === 'model_step' ? { message: messageIn(reader) } : undefined;
  },
};

/** Reads `{text, toolCalls}`. An output with more stays visible. */
function messageIn(reader: SpanReader): AssistantMessage | undefined {
  const output = reader.unmarked().value('mastra.model_step.output');
  if (!isObject(output) || !Array.isArray(output.toolCalls) || output.toolCalls.length === 0) return undefined;
  const { text: said, toolCalls: _, ...others } = output;
  if (Object.keys(others).length === 0) reader.value('mastra.model_step.output');
  const text = asText(said) ?? '';
  return {
    role: 'assistant',
    content: text === '' ? [] : [{ type: 'text', text }],
    toolCalls: output.toolCalls.filter(isObject).map(({ toolCallId, toolName, args }) => ({
      id: brandAs<CallId>(asText(toolCallId) ?? ''),
      name: asText(toolName) ?? '',
      argumentsText: JSON.stringify(args ?? {}),
    })),
    stopReason: 'tool_use',
  };
}
