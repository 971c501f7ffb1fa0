import { expect, test } from 'vitest';
import { listSamples, readSample } from './samples';

test('every sample has a title, a sentence and at least one card', async () => {
  const samples = await listSamples();
  expect(samples.map(({ id }) => id)).toContain('pmo');
  for (const { id, title, description } of samples) {
    expect(title).not.toBe(id);
    expect(description).toMatch(/\.$/);
    const { folder } = await readSample(id);
    expect([...folder.keys()].some((file) => /^agent-cards\/.*\.md$/.test(file))).toBe(true);
  }
});

test('a sample says what it needs that is not here, and describes itself without naming another', async () => {
  const samples = await listSamples();
  const needs = samples.filter((each) => each.needs.length > 0).map((each) => [each.id, each.needs]);
  expect(needs).toEqual([
    ['hooks-python', ['python']],
    ['pmo-openai', ['key']],
    ['workflow-a2a', ['remote']],
  ]);
  const withPython = await listSamples({ python: true });
  expect(withPython.flatMap((each) => each.needs)).toEqual(['key', 'remote']);
  const words = samples.flatMap(({ description }) => description.match(/[\w-]+/g) ?? []);
  expect(samples.filter(({ id }) => words.includes(id))).toEqual([]);
});

test('a sample that does not exist is refused, whatever its name', async () => {
  await expect(readSample('../lib')).rejects.toMatchObject({ code: 'not_found' });
});
