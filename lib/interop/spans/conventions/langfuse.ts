import { isObject, type SpanReader } from '@/lib/interop/spans/reading/span-reader';
import { usageInJson } from '@/lib/interop/spans/reading/usage-of-span';
import { type Convention, hasAttribute, kindIn } from './convention';
import { observationKinds } from './openinference';

/** The SDK of Langfuse. Every value is JSON. */
export const langfuse: Convention = {
  source: { key: 'langfuse', isFrom: hasAttribute('langfuse.') },
  kind: (_, reader) => kindIn(observationKinds, reader.text('langfuse.observation.type')),
  names: {
    model: ['langfuse.observation.model.name'],
    input: ['langfuse.observation.input'],
    output: ['langfuse.observation.output'],
    params: ['langfuse.observation.model.parameters'],
  },
  jsonTexts: ['langfuse.'],
  read: ({ span, reader, kind }) => {
    if (kind !== 'model' && kind !== 'agent' && kind !== 'step') return undefined;
    const usage = usageInJson(reader.value('langfuse.observation.usage_details'));
    const cost = reader.unmarked().value('langfuse.observation.cost_details');
    const total = isObject(cost) && typeof cost.total === 'number' ? cost.total : undefined;
    return {
      ...(usage !== undefined && { usage }),
      ...(total !== undefined && { costUsd: total }),
      ...(kind === 'model' && { firstTokenMs: firstToken(span.start, reader) }),
    };
  },
  failure: (_, reader) => {
    if (reader.text('langfuse.observation.level') !== 'ERROR') return undefined;
    const message = reader.text('langfuse.observation.status_message') ?? 'Its level is ERROR.';
    return { code: 'failed', message };
  },
};

function firstToken(start: number, reader: SpanReader): number | undefined {
  const at = Date.parse(reader.text('langfuse.observation.completion_start_time') ?? '');
  return Number.isNaN(at) || at < start ? undefined : at - start;
}
