import { expect, test } from 'vitest';
import { pairFault, parsePairs, printPairs } from './pair-lines';

test('pairs are printed and read back, with separators inside values', () => {
  const env = { TOKEN: 'a=b', EMPTY: '' };
  expect(parsePairs(printPairs(env, '='), '=')).toEqual(env);
  const headers = { Authorization: 'Bearer abc:def', 'X-Url': 'https://example.com' };
  expect(printPairs(headers, ':')).toBe('Authorization: Bearer abc:def\nX-Url: https://example.com');
  expect(parsePairs(printPairs(headers, ':'), ':')).toEqual(headers);
  expect(parsePairs('\n \n', ':')).toBeUndefined();
});

test('a line that is no pair is named and never dropped', () => {
  expect(pairFault('A=1\n\nTOKEN', '=')).toBe("'TOKEN' is not a pair. Write NAME=value.");
  expect(pairFault('=1', '=')).toBe("'=1' is not a pair. Write NAME=value.");
  expect(pairFault('Authorization Bearer x', ':')).toBe("'Authorization Bearer x' is not a pair. Write Name: value.");
  expect(pairFault('A: 1\n', ':')).toBeUndefined();
});
