import { expect, test } from 'vitest';
import { isWildcard, nameOfPattern, patternFor, patternOf } from './filter-patterns';

test.each(['get_time', 'a*b', 'odd[name]', 'what?', '[', ''])('the pattern of %j matches this name only', (name) => {
  const pattern = patternOf(name);
  expect([isWildcard(pattern), nameOfPattern(pattern), patternFor(['other', pattern], name)]).toEqual([
    false,
    name,
    pattern,
  ]);
  expect(patternFor([pattern], `${name}2`)).toBeUndefined();
});

test('wildcards are told from names', () => {
  expect(['find_*', 'a?', '[ab]c', 'plain', '[*]'].map(isWildcard)).toEqual([true, true, true, false, false]);
  expect(patternFor(['get', 'find_*'], 'find_all')).toBe('find_*');
});
