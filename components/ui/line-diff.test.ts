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

test.each([
  ['a carriage return', '\r'],
  ['a line separator', '\u2028'],
  ['a paragraph separator', '\u2029'],
])('%s ends a line, as it ends a comment in code, and is marked', (_, end) => {
  expect(diffLines('// note\nb', `// note${end}run();\nb`)).toEqual([
    { kind: 'removed', text: '// note' },
    { kind: 'added', text: '// note', end },
    { kind: 'added', text: 'run();' },
    { kind: 'same', text: 'b' },
  ]);
});

test('marks the line ends that are not those of most lines', () => {
  expect(diffLines('a\r\nb\r\nc', 'a\r\nb\nc')).toEqual([
    { kind: 'same', text: 'a' },
    { kind: 'removed', text: 'b' },
    { kind: 'added', text: 'b', end: '\n' },
    { kind: 'same', text: 'c' },
  ]);
});

test('keeps both texts, whatever they are', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', '\n', '\n', '\r', '\u2028'), { maxLength: 9 })
    .map((parts) => parts.join('').replace(/\r\n+/g, '\r'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      if (lines.some((line) => line.kind === 'skipped')) return;
      const side = (drop: string) =>
        lines
          .filter((line) => line.kind !== drop)
          .map((line) => line.text + (line.end ?? '\n'))
          .join('')
          .slice(0, -1);
      expect(side('added')).toBe(before);
      expect(side('removed')).toBe(after);
    }),
  );
});
