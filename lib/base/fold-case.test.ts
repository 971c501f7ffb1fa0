import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldCase } from './fold-case';

test.each([
  ['Straße', 'STRASSE'],
  ['ΟΔΟΣ', 'οδος'],
  ['Привет', 'ПРИВЕТ'],
  ['İSTANBUL', 'istanbul'],
  ['ISPARTA', 'ısparta'],
  ['ÉTÉ', 'e\u0301te\u0301'],
  ['ՀԱՅ', 'հայ'],
])('%s and %s are equal', (a, b) => {
  expect(foldCase(a)).toBe(foldCase(b));
});

test('accents are kept', () => {
  expect(foldCase('été')).not.toBe(foldCase('ete'));
});

test('any text and its upper and lower case fold to the same, and folding twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const folded = foldCase(text);
      expect(foldCase(folded)).toBe(folded);
      expect(foldCase(text.toUpperCase())).toBe(folded);
    }),
  );
});
