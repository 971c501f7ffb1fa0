import { type Convention, hasAttribute, isScope } from './convention';

/** The OpenAI Agents SDK, by OpenInference. A turn is a request to the model and the tools that it asks for. */
export const openAiAgents: Convention = {
  source: {
    key: 'openai-agents',
    isFrom: (span) => isScope(/openai[-_.]agents/i)(span) || hasAttribute('openai.agents.')(span),
  },
  isNoise: ({ name, scope }) => /openai[-_.]agents/i.test(scope) && /^(?:turn|task)$/i.test(name),
};
