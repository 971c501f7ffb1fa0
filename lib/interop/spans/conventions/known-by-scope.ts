import type { ReceivedSpan } from '@/lib/interop/otlp/received-span';
import type { SpanReader } from '@/lib/interop/spans/reading/span-reader';
import { type Convention, hasAttribute, isScope } from './convention';

/** Frameworks that keep to the GenAI conventions. The library that made the spans names them. */
export const autogen: Convention = {
  source: { key: 'autogen', isFrom: isScope(/autogen/i) },
  // What its runtime does to bring a message to an agent.
  isNoise: isOfRuntime,
  // A message to an agent has its type as `planner.(key)-A`. It stands for the agent where no span of the agent is around it.
  read: ({ span, reader }) => {
    const to = isOfRuntime(span, reader) ? reader.unmarked().text('messaging.destination') : undefined;
    const name = /^(.+)\.\(.*\)-A$/s.exec(to ?? '')?.[1];
    return name === undefined ? undefined : { name };
  },
};

function isOfRuntime({ name }: ReceivedSpan, reader: SpanReader): boolean {
  return name.startsWith('autogen ') && reader.has('messaging.operation');
}

export const agentFramework: Convention = {
  source: { key: 'agent-framework', isFrom: isScope(/agent[-_]framework|semantic[-_]kernel/i) },
};
export const llamaIndex: Convention = { source: { key: 'llama-index', isFrom: isScope(/llama[-_]?index/i) } };
export const liveKit: Convention = {
  source: { key: 'livekit', isFrom: hasAttribute('lk.') },
  names: { input: ['lk.input'] },
};

/** Names that many programs use, after all others. */
export const plainNames: Convention = {
  names: {
    agentName: ['resource.name', 'operation.name'],
    input: ['input'],
    output: ['output'],
  },
};
