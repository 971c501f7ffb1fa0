import { expect, test } from 'vitest';
import { globMatch } from './fnmatch';

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
  ['[z-ab]', 'b', true],
  ['[!z-a]', 'x', true],
  ['[a-]', '-', true],
  ['[-a]', '-', true],
  ['[!]', '[!]', true],
  ['[a[b]', '[', true],
  ['?', '😀', true],
  ['[😀]', '😀', true],
  ['*a*b*', 'xxaxxbxx', true],
  ['*a*b', 'xxaxxbxx', false],
])('%j on %j: %j', (pattern, name, expected) => {
  expect(globMatch(pattern, name)).toBe(expected);
});
