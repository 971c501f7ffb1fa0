import { type Convention, hasAttribute, isScope } from './convention';

/** Frameworks that keep to the GenAI conventions. The library that made the spans names them. */
export const autogen: Convention = {
  source: { key: 'autogen', isFrom: isScope(/autogen/i) },
  // What its runtime does to bring a message to an agent.
  isNoise: (span, reader) => span.name.startsWith('autogen ') && reader.has('messaging.operation'),
};
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
