import fc from 'fast-check';
import { expect, test } from 'vitest';
import { followLines, linesAt, replaceLines } from './follow-lines';

/** Makes changes of a text whose lines are all different, and says which line each was. */
const edits = fc.array(
  fc.record({ at: fc.nat(40), kind: fc.constantFrom('insert' as const, 'remove' as const, 'change' as const) }),
  { maxLength: 12 },
);
const text = fc.record({ size: fc.integer({ min: 1, max: 30 }), from: fc.nat(29), length: fc.nat(4), edits });

test('lines are followed through any edits beside them, and never to other text', () => {
  fc.assert(
    fc.property(text, ({ size, from: start, length, edits: changes }) => {
      const before = Array.from({ length: size }, (_, index) => `line ${index + 1}`);
      const from = (start % size) + 1;
      const to = Math.min(size, from + length);
      const after = [...before];
      changes.forEach(({ at, kind }, n) => {
        const place = at % (after.length + 1);
        if (kind === 'insert') after.splice(place, 0, `new ${n}`);
        else if (place < after.length) after.splice(place, 1, ...(kind === 'change' ? [`other ${n}`] : []));
      });
      const wanted = before.slice(from - 1, to);
      const place = after.indexOf(wanted[0] ?? '') + 1;
      const isWhole = place > 0 && wanted.every((line, index) => after[place - 1 + index] === line);
      expect(followLines(before.join('\n'), after.join('\n'), { from, to })).toEqual(
        isWhole ? { from: place, to: place + to - from } : undefined,
      );
    }),
    { numRuns: 500 },
  );
});

test('where lines repeat, a comment stays at a line with the same text', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', ''), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(lines, lines, fc.nat(19), fc.nat(3), (a, b, start, length) => {
      const from = (start % a.length) + 1;
      const range = { from, to: Math.min(a.length, from + length) };
      const found = followLines(a.join('\n'), b.join('\n'), range);
      if (found !== undefined) expect(linesAt(b.join('\n'), found)).toBe(linesAt(a.join('\n'), range));
    }),
    { numRuns: 500 },
  );
});

test('in a text that is nearly all new, a comment follows only a unique place', () => {
  const fresh = (mark: string) => Array.from({ length: 3_000 }, (_, index) => `${mark} ${index}`);
  const before = ['first', ...fresh('a'), 'here'].join('\n');
  const range = { from: 3_002, to: 3_002 };
  expect(followLines(before, ['here', ...fresh('b')].join('\n'), range)).toEqual({ from: 1, to: 1 });
  expect(followLines(before, ['here', ...fresh('b'), 'here'].join('\n'), range)).toBeUndefined();
});

test('lines are replaced by more lines, by fewer lines and by none', () => {
  expect(replaceLines('a\nb\nc\n', { from: 2, to: 2 }, 'x\ny')).toBe('a\nx\ny\nc\n');
  expect(replaceLines('a\nb\nc\n', { from: 1, to: 2 }, 'x\n')).toBe('x\nc\n');
  expect(replaceLines('a\nb\nc\n', { from: 2, to: 2 }, '')).toBe('a\nc\n');
});
