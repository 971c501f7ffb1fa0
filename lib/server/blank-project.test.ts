import { expect, test } from 'vitest';
import { readFolder } from '@/lib/cards/project/read-folder';
import { blankProject } from './blank-project';

test('a blank project has no issue, and its model is one of a provider with a key, else the test model', () => {
  for (const [models, expected] of [
    [{}, 'passthrough'],
    [{ OPENAI_API_KEY: 'set' }, 'openai.gpt-5-mini'],
  ] as const) {
    const parsed = readFolder(blankProject(models));
    expect(parsed.issues).toEqual([]);
    expect(parsed.cards.map(({ name }) => name)).toEqual(['assistant']);
    expect(parsed.config.defaultModel).toBe(expected);
  }
});
