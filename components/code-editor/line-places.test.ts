import { Text } from '@codemirror/state';
import { expect, test } from 'vitest';
import { numberOfLine, offsetsOf } from './line-places';

test('a line behind a carriage return inside a line has the number that code gives it', () => {
  const doc = Text.of(['// note\rrun();', 'end();']);
  expect([1, 2].map((line) => numberOfLine(doc, line))).toEqual([1, 3]);
  expect(offsetsOf(doc, { line: 2, column: 1 })).toEqual({ at: 8, from: 8, to: 14 });
  expect(offsetsOf(doc, { line: 3, column: 4 })).toEqual({ at: 18, from: 15, to: 21 });
});

test('a place outside the text is its nearest line and end', () => {
  const doc = Text.of(['one', 'two']);
  expect(offsetsOf(doc, { line: 1, column: 99 })).toEqual({ at: 3, from: 0, to: 3 });
  expect(offsetsOf(doc, { line: 99, column: 2 })).toEqual({ at: 5, from: 4, to: 7 });
  expect(offsetsOf(doc, { line: 0, column: 0 })).toEqual({ at: 0, from: 0, to: 3 });
});
