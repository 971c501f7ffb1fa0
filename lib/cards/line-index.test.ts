import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineIndex } from './line-index';

const text = fc
  .array(fc.constantFrom('a', 'é', '😀', '\n', '\r\n', '\r', '\u2028', ' '), { maxLength: 40 })
  .map((parts) => parts.join(''));

test('each offset has a position, which leads back to it', () => {
  fc.assert(
    fc.property(text, fc.nat(60), (given, some) => {
      const index = new LineIndex(given);
      const offset = Math.min(some, given.length);
      expect(index.offsetOf(index.positionOf(offset))).toBe(offset);
    }),
  );
});

test('an offset or a position outside the text means its nearest end', () => {
  const index = new LineIndex('ab\ncd');
  expect([index.positionOf(-3), index.positionOf(99)]).toEqual([
    { line: 1, column: 1 },
    { line: 2, column: 3 },
  ]);
  expect(index.offsetOf({ line: 0, column: 1 })).toBe(0);
  expect(index.offsetOf({ line: 1, column: 0 })).toBe(0);
  expect(index.offsetOf({ line: 2, column: 99 })).toBe(5);
  expect(index.offsetOf({ line: 9, column: 1 })).toBe(5);
});

test('a BOM has no column', () => {
  const index = new LineIndex('\uFEFFab\ncd');
  expect(index.positionOf(1)).toEqual({ line: 1, column: 1 });
  expect(index.positionOf(2)).toEqual({ line: 1, column: 2 });
  expect(index.offsetOf({ line: 1, column: 2 })).toBe(2);
  expect(index.offsetOf({ line: 2, column: 1 })).toBe(4);
});
