import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines } from './line-diff';

const shown = (before: string, after: string) => diffLines(before, after).map((line) => `${line.kind} ${line.text}`);

test('marks what was removed and added between equal lines', () => {
  expect(shown('a\nb\nc', 'a\nx\nc')).toEqual(['same a', 'removed b', 'added x', 'same c']);
});

test('folds long equal stretches and says how many lines they are', () => {
  const lines = Array.from({ length: 10 }, (_, n) => `${n}`);
  expect(shown(lines.join('\n'), [...lines, 'new'].join('\n'))).toEqual([
    'skipped 7 equal lines',
    'same 7',
    'same 8',
    'same 9',
    'added new',
  ]);
});

test('keeps both texts, whatever they are', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      if (lines.some((line) => line.kind === 'skipped')) return;
      const side = (drop: string) =>
        lines
          .filter((line) => line.kind !== drop)
          .map((line) => line.text)
          .join('\n');
      expect(side('added')).toBe(before);
      expect(side('removed')).toBe(after);
    }),
  );
});
