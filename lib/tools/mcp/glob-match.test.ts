import { expect, test } from 'vitest';
import { globMatch } from './glob-match';

test.each<[string, string, boolean]>([
  ['*', '', true],
  ['*', 'a/b.c', true],
  ['get_*', 'get_time', true],
  ['get_*', 'forget_time', false],
  ['get_*', 'GET_TIME', false],
  ['s?t', 'set', true],
  ['s?t', 'st', false],
  ['**x**', 'axb', true],
  ['[abc]d', 'bd', true],
  ['[!abc]d', 'bd', false],
  ['[!abc]d', 'xd', true],
  ['[a-c]', 'b', true],
  ['[z-a]', 'b', false],
  ['[]x]', ']', true],
  ['[', '[', true],
  ['a.b', 'axb', false],
  ['a+(b)|c', 'a+(b)|c', true],
  ['*\n*', 'a\nb', true],
])('%j on %j: %j', (pattern, name, expected) => {
  expect(globMatch(pattern, name)).toBe(expected);
});
