import { expect, test } from 'vitest';
import { nearName } from './near-name';

const names = ['agents', 'model', 'name', 'servers', 'skills'];

test.each([
  ['agnets', 'agents'],
  ['agent', 'agents'],
  ['modle', 'model'],
  ['Model', 'model'],
  ['nmae', 'name'],
  ['servres', 'servers'],
  ['model', undefined],
  ['colour', undefined],
  ['nam', undefined],
  ['layout', undefined],
  ['x'.repeat(1_000), undefined],
])('%s was meant to be %s', (word, expected) => {
  expect(nearName(word, names)).toBe(expected);
});
