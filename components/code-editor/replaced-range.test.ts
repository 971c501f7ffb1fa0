import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replacedRange } from './replaced-range';

test('replaces only the stretch that differs', () => {
  expect(replacedRange('name: a\nmodel: x', 'name: abc\nmodel: x')).toEqual({ from: 7, to: 7, insert: 'bc' });
});

test('turns any text into any other', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      const { from, to, insert } = replacedRange(before, after);
      expect(before.slice(0, from) + insert + before.slice(to)).toBe(after);
    }),
  );
});
