import { expect, test } from 'vitest';
import { filterChoices, typedPatterns } from './filter-choices';

const offered = [{ name: 'get_time', description: 'Tells.' }, { name: 'find_a' }, { name: 'odd[1]' }];

test('what the server lists can be picked, each by the pattern that takes only it', () => {
  expect(filterChoices(offered, undefined)).toEqual([
    { value: 'get_time', label: 'get_time', note: 'Tells.' },
    { value: 'find_a', label: 'find_a' },
    { value: 'odd[[]1]', label: 'odd[1]' },
  ]);
});

test('patterns and names of the card stay choices, and say what they take', () => {
  expect(filterChoices(offered, ['find_*', 'gone', 'get_time'])).toEqual([
    { value: 'get_time', label: 'get_time', note: 'Tells.' },
    { value: 'find_a', label: 'find_a', note: 'Taken by find_*' },
    { value: 'odd[[]1]', label: 'odd[1]' },
    { value: 'find_*', label: 'find_*', note: 'Takes 1 of 3' },
    { value: 'gone', label: 'gone', note: 'The server does not list it.' },
  ]);
});

test('before the first test only the own patterns are known', () => {
  expect(filterChoices(undefined, ['find_*', 'get_time'])).toEqual([
    { value: 'find_*', label: 'find_*' },
    { value: 'get_time', label: 'get_time' },
  ]);
  expect(filterChoices(undefined, undefined)).toEqual([]);
  expect(typedPatterns(' a*, b  c ')).toEqual(['a*', 'b', 'c']);
});
