import { expect, test } from 'vitest';
import { offerRows, searchedRows, withTick } from './offer-rows';

const offered = [{ name: 'get_time', description: 'Tells the time.' }, { name: 'find_a' }, { name: 'find_b' }];
const told = (patterns: readonly string[] | undefined, drift?: Parameters<typeof offerRows>[2]) =>
  offerRows(offered, patterns, drift).map(({ name, ticked, by, state }) =>
    [ticked ? 'x' : '-', name, by, state].filter(Boolean).join(' '),
  );

test('without a filter everything is ticked, and an empty one ticks nothing', () => {
  expect(told(undefined)).toEqual(['x get_time', 'x find_a', 'x find_b']);
  expect(told([])).toEqual(['- get_time', '- find_a', '- find_b']);
});

test('wildcards say what they tick, and names that are not offered have a row', () => {
  expect(told(['find_*', 'get_tiem'])).toEqual(['- get_time', 'x find_a find_*', 'x find_b find_*', 'x get_tiem gone']);
});

test('rows say what is new, changed and gone', () => {
  expect(told(['get_time', 'f*'], { added: ['find_b'], changed: ['get_time'], gone: ['find_c'] })).toEqual([
    'x get_time changed',
    'x find_a f*',
    'x find_b f* new',
    '- find_c gone',
  ]);
});

test('without a test the names of the filter are the rows, and none is said to be gone', () => {
  expect(offerRows(undefined, ['a', 'b*'], undefined)).toEqual([{ name: 'a', ticked: true }]);
});

test('ticks write names, and leave wildcards as they are', () => {
  const rows = offerRows(offered, undefined, undefined);
  expect(withTick(rows, undefined, 'find_a', false)).toEqual(['get_time', 'find_b']);
  expect(withTick(rows, ['find_*'], 'get_time', true)).toEqual(['find_*', 'get_time']);
  expect(withTick(rows, ['find_*', 'get_time'], 'get_time', false)).toEqual(['find_*']);
  expect(withTick(rows, ['get_time'], 'get_time', false)).toEqual([]);
  expect(withTick(rows, ['find_*'], 'find_a', true)).toEqual(['find_*']);
  expect(withTick([], [], 'odd*', true)).toEqual(['odd[*]']);
});

test('a search finds words of the name and of the description', () => {
  const rows = offerRows(offered, undefined, undefined);
  expect(searchedRows(rows, ' TIME tells ').map(({ name }) => name)).toEqual(['get_time']);
  expect(searchedRows(rows, 'find').map(({ name }) => name)).toEqual(['find_a', 'find_b']);
});
