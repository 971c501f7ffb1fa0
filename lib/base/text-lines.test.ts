import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineStarts, textLines } from './text-lines';

test.each([
  ['', ['']],
  ['a\nb', ['a\n', 'b']],
  ['a\r\nb\n', ['a\r\n', 'b\n', '']],
  ['// note\rrun()', ['// note\r', 'run()']],
  ['// a\u2028b\u2029c', ['// a\u2028', 'b\u2029', 'c']],
  ['\n\r', ['\n', '\r', '']],
])('%j has the lines %j', (text, lines) => {
  expect(textLines(text).map((line) => line.text + line.end)).toEqual(lines);
});

test('lines with their ends are the text, and begin where lineStarts says', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '\n', '\r', '\u2028', '\u2029')).map((all) => all.join(''));
  fc.assert(
    fc.property(text, (whole) => {
      const lines = textLines(whole);
      expect(lines.map((line) => line.text + line.end).join('')).toBe(whole);
      expect(lineStarts(whole).map((start, index) => whole.startsWith(lines[index]?.text ?? '?', start))).toEqual(
        lines.map(() => true),
      );
    }),
  );
});
