import { expect, test } from 'vitest';
import { numberFault, parseNumber } from './number-text';

test('a number field takes numbers and nothing; other text is refused with a sentence', () => {
  expect(['', ' ', '12', ' 1.5 ', '-3', '1e3'].map(numberFault)).toEqual(Array(6).fill(undefined));
  expect(['', ' ', '12', ' 1.5 ', '-3', '1e3'].map(parseNumber)).toEqual([undefined, undefined, 12, 1.5, -3, 1000]);
  expect(numberFault('abc')).toBe("'abc' is no number, so it is not written. Write digits, or leave the field empty.");
  expect(numberFault('12 s')).toContain("'12 s'");
  expect(numberFault('Infinity')).toBeDefined();
});
