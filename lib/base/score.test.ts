import { expect, test } from 'vitest';
import { afterThumb, formatScore, isScoreName, meanOf, type Score, scoresAbout } from './score';

const score = (rest: Partial<Score>): Score => ({
  ...{ id: 's', span: null, name: 'quality', value: null, note: null, author: 'a', authorName: 'a' },
  ...{ createdAt: 0, updatedAt: 0 },
  ...rest,
});
const at = (seq: number | null) => ({ seq, kind: 'tool', path: 'lead' });

test('a thumb sets its value and keeps the note, and a second click takes the value back', () => {
  expect(afterThumb(undefined, 1)).toEqual({ value: 1, note: null });
  expect(afterThumb(score({ value: 1 }), 1)).toBeUndefined();
  expect(afterThumb(score({ value: 1, note: 'Why' }), 1)).toEqual({ value: null, note: 'Why' });
  expect(afterThumb(score({ value: 0.7, note: 'Why' }), 0)).toEqual({ value: 0, note: 'Why' });
  expect(afterThumb(score({ note: 'Why' }), 0)).toEqual({ value: 0, note: 'Why' });
});

test('scores belong to the run or to one span, and the mean counts values, not notes', () => {
  const run = [score({ value: 1 }), score({ note: 'x' }), score({ value: 0.5 })];
  const spans = [score({ span: at(7), value: 0 }), score({ span: at(null), value: 0 })];
  expect(scoresAbout([...run, ...spans], undefined)).toEqual(run);
  expect(scoresAbout([...run, ...spans], 7)).toEqual([spans[0]]);
  expect(meanOf(run)).toEqual({ mean: 0.75, count: 2 });
  expect(meanOf([score({ note: 'x' })])).toBeUndefined();
});

test.each([
  ['quality', true],
  ['tone.v2-a_b', true],
  ['Quality', false],
  ['2nd', false],
  ['any', false],
  ['none', false],
  ['a'.repeat(41), false],
  ['a b', false],
  ['', false],
])('%j is a valid name of a score: %s', (name, isOne) => {
  expect(isScoreName(name)).toBe(isOne);
});

test('a value is written with at most two digits after the point', () => {
  expect([1, 0, 0.5, 2 / 3].map(formatScore)).toEqual(['1', '0', '0.5', '0.67']);
});
