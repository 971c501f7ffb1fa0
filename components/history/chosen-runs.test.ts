import { expect, test } from 'vitest';
import { chooseUpTo, noneChosen, onlyListed, toggleAll, toggleRun } from './chosen-runs';

const listed = ['a', 'b', 'c', 'd'];
const idsOf = ({ ids }: { readonly ids: ReadonlySet<string> }) => [...ids].sort().join('');

test('runs are chosen one by one, and up to another one in either direction', () => {
  const one = toggleRun(noneChosen, 'c');
  expect(idsOf(chooseUpTo(one, 'a', listed))).toBe('abc');
  expect(idsOf(chooseUpTo(chooseUpTo(one, 'a', listed), 'd', listed))).toBe('abcd');
  expect(idsOf(toggleRun(one, 'c'))).toBe('');
  expect(idsOf(chooseUpTo(noneChosen, 'b', listed))).toBe('b');
});

test('all are chosen, and then none', () => {
  const all = toggleAll(toggleRun(noneChosen, 'b'), listed);
  expect(idsOf(all)).toBe('abcd');
  expect(toggleAll(all, listed)).toEqual(noneChosen);
});

test('a run that left the list is no longer chosen', () => {
  const two = chooseUpTo(toggleRun(noneChosen, 'a'), 'b', listed);
  expect(idsOf(onlyListed(two, ['b', 'c']))).toBe('b');
  expect(onlyListed(two, listed)).toBe(two);
});
