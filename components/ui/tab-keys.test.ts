import { expect, test } from 'vitest';
import { tabAfterKey } from './tab-keys';

test('arrows go round the tabs, Home and End go to the first and the last', () => {
  expect([0, 1, 2].map((from) => tabAfterKey('ArrowRight', from, 3))).toEqual([1, 2, 0]);
  expect([0, 1, 2].map((from) => tabAfterKey('ArrowLeft', from, 3))).toEqual([2, 0, 1]);
  expect([tabAfterKey('Home', 1, 3), tabAfterKey('End', 1, 3)]).toEqual([0, 2]);
});

test('other keys move nothing, and no key does without tabs', () => {
  expect([tabAfterKey('ArrowDown', 1, 3), tabAfterKey('a', 1, 3), tabAfterKey('End', 0, 0)]).toEqual(
    Array(3).fill(undefined),
  );
});
