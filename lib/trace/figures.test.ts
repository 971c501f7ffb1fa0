import { expect, test } from 'vitest';
import { tokensPerSecond } from './figures';

test('the speed of a model call is that of its answer, from the first token on', () => {
  expect(tokensPerSecond(100, 3_000_000, 1_000)).toBe(50);
  expect(tokensPerSecond(100, 2_000_000)).toBe(50);
  expect([tokensPerSecond(0, 1_000_000), tokensPerSecond(10, 500_000, 500), tokensPerSecond(10, 200)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
