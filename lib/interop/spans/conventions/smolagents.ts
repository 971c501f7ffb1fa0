import { type Convention, isScope } from './convention';

/** smolagents of Hugging Face, by OpenInference. Each step of an agent has a span of its own. */
export const smolagents: Convention = {
  source: { key: 'smolagents', isFrom: isScope(/smolagents/i) },
  names: { input: ['smolagents.task'] },
  isNoise: ({ name, scope }) => /smolagents/i.test(scope) && /^Step \d+$/.test(name),
};
