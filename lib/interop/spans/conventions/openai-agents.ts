import { type Convention, hasAttribute, isScope } from './convention';

/**
 * The OpenAI Agents SDK, by OpenInference. A turn is a request to the model and the tools that it asks for. A task is one run of a
 * runner; its span has the name of the workflow, which is `Agent workflow` unless the program names it.
 */
export const openAiAgents: Convention = {
  source: {
    key: 'openai-agents',
    isFrom: (span) => isScope(/openai[-_.]agents/i)(span) || hasAttribute('openai.agents.')(span),
  },
  isNoise: ({ name, scope, attributes }) =>
    /openai[-_.]agents/i.test(scope) &&
    (/^(?:turn|task)$/i.test(name) || (name === 'Agent workflow' && attributes['openinference.span.kind'] === 'CHAIN')),
};
