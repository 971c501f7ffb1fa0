import { expect, test } from 'vitest';
import { rankByWords } from './rank-by-words';

const names = ['my writer', 'rewrite', 'writer', 'Lead of writers', 'critic'];

test('what begins with the query comes first, and every word must be there', () => {
  const find = (query: string, limit = 10) => rankByWords(names, (name) => name, query, limit);
  expect(find('writ')).toEqual(['writer', 'my writer', 'Lead of writers', 'rewrite']);
  expect(find('of lead')).toEqual(['Lead of writers']);
  expect(find('writ', 2)).toEqual(['writer', 'my writer']);
  expect(find(' ')).toEqual(names);
  expect(find('', 2)).toEqual(['my writer', 'rewrite']);
  expect(find('nobody')).toEqual([]);
});
