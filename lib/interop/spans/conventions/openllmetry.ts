import type { ImportedKind } from '@/lib/interop/log/imported-step';
import { type Convention, hasAttribute, kindIn } from './convention';

/** `traceloop.span.kind`. */
const kinds: Readonly<Record<string, ImportedKind>> = {
  workflow: 'agent',
  agent: 'agent',
  task: 'step',
  tool: 'tool',
};

/** OpenLLMetry of Traceloop, and its instrumentations of model clients, whose spans have no kind of their own. */
export const openLlmetry: Convention = {
  source: { key: 'openllmetry', isFrom: hasAttribute('traceloop.') },
  kind: (_, reader) =>
    kindIn(kinds, reader.text('traceloop.span.kind')) ??
    (reader.text('llm.request.type') === undefined ? undefined : 'model'),
  names: {
    agentName: ['traceloop.entity.name'],
    toolName: ['traceloop.entity.name'],
    model: ['llm.request.model', 'llm.response.model'],
    input: ['traceloop.entity.input'],
    output: ['traceloop.entity.output'],
    inputTokens: ['llm.usage.prompt_tokens'],
    outputTokens: ['llm.usage.completion_tokens'],
  },
  jsonTexts: ['traceloop.entity.'],
  read: ({ reader, kind }) => (kind === 'step' ? { name: reader.text('traceloop.entity.name') } : undefined),
};
