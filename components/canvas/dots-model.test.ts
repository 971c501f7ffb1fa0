import { expect, test } from 'vitest';
import { dotsOf } from './dots-model';

test('a dot stays at the origin of the canvas wherever the view is', () => {
  expect(dotsOf([0, 0, 1], 16)).toEqual({ gap: 16, x: 0, y: 0, radius: 0.5 });
  expect(dotsOf([35, -3, 1], 16)).toMatchObject({ x: 3, y: 13 });
  expect(dotsOf([35, -3, 2], 16)).toMatchObject({ gap: 32, x: 3, y: 29, radius: 1 });
});

test('from far away there are no dots', () => {
  expect(dotsOf([35, -3, 0.5], 16).gap).toBeUndefined();
});
