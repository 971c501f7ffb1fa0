import { expect, test } from 'vitest';
import { numberFault, parseNumber } from './number-text';

test('a number field takes numbers and nothing; other text is refused with a sentence', () => {
  expect(['', ' ', '12', ' 1.5 ', '-3', '1e3'].map((text) => numberFault(text))).toEqual(Array(6).fill(undefined));
  expect(['', ' ', '12', ' 1.5 ', '-3', '1e3'].map(parseNumber)).toEqual([undefined, undefined, 12, 1.5, -3, 1000]);
  expect(numberFault('abc')).toBe(
    "'abc' is not a number, so it is not written. Write digits, or leave the field empty.",
  );
  expect(numberFault('12 s')).toContain("'12 s'");
  expect(numberFault('Infinity')).toBeDefined();
});

test('a number outside the limits of its field is refused with what it may be', () => {
  expect(['1', '7', ''].map((text) => numberFault(text, { least: 1, whole: true }))).toEqual(Array(3).fill(undefined));
  expect(numberFault('0', { least: 1 })).toBe(
    "'0' is too small, so it is not written. Write 1 or more, or leave the field empty.",
  );
  expect(numberFault('1.5', { whole: true })).toBe(
    "'1.5' is not a whole number, so it is not written. Write it without a fraction.",
  );
});
