import { expect, test } from 'vitest';
import { factsOfModel } from './model-facts';
import table from './model-names.json';

test('facts are found by the name in a request, with or without host, date and vendor', () => {
  const mini = { contextTokens: 272_000, tools: true, vision: true, reasoning: true };
  expect(factsOfModel('gpt-5-mini')).toEqual(mini);
  expect(factsOfModel('openai/gpt-5-mini')).toEqual(mini);
  expect(factsOfModel('gpt-5-nano-2025-08-07')).toEqual(mini);
  expect(factsOfModel('openai/gpt-oss-120b:cerebras')).toMatchObject({ contextTokens: 131_072, vision: false });
  expect(factsOfModel('of-nobody/else')).toBeUndefined();
});

test('nearly every model that is named without a provider has facts', () => {
  const unknown = Object.values(table.models)
    .flat()
    .filter((name) => factsOfModel(name) === undefined);
  // Neither calls tools, or neither is served here.
  expect(unknown.filter((name) => !/^(?:o1-mini|o1-preview|gpt-5\.3-codex-spark|muse-)/.test(name))).toEqual([]);
});
