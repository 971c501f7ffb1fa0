import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasClashMarks, markedText, mergedText, mergeLines } from './merge-lines';

const text = (words: string) => (words === '' ? '' : `${words.split(' ').join('\n')}\n`);
const kinds = (base: string, mine: string, theirs: string) =>
  mergeLines(text(base), text(mine), text(theirs)).map(({ kind }) => kind);
const merge = (base: string, mine: string, theirs: string) =>
  mergedText(mergeLines(text(base), text(mine), text(theirs)));

test('changes in different places of a text are merged, in either order', () => {
  expect(merge('a b c d e', 'A b c d e', 'a b c d E f')).toBe(text('A b c d E f'));
  expect(merge('a b c d e', 'a b c d E f', 'A b c d e')).toBe(text('A b c d E f'));
  expect(merge('a b c d e', 'b c d e', 'a b c e')).toBe(text('b c e'));
});

test('the same change of both sides is taken once', () => {
  expect(kinds('a b c', 'a X c', 'a X c')).toEqual(['same', 'both', 'same']);
  expect(merge('a b c', 'a X c', 'a X c')).toBe(text('a X c'));
});

test('changes that overlap or touch are a clash, which shows both versions and the old one', () => {
  expect(mergeLines(text('a b c'), text('a X c'), text('a Y c'))[1]).toEqual({
    kind: 'clash',
    base: ['b\n'],
    mine: ['X\n'],
    theirs: ['Y\n'],
  });
  expect(kinds('a b c', 'a X c', 'a b Y')).toEqual(['same', 'clash']);
  expect(kinds('a b c', 'a c', 'a X c')).toEqual(['same', 'clash', 'same']);
  expect(kinds('a', 'a mine', 'a theirs')).toEqual(['same', 'clash']);
});

test('a text that begins from a clash has both versions between marks', () => {
  const marked = markedText(mergeLines(text('a b c d e'), text('A b X d e'), text('a b Y d E')));
  expect(marked).toBe('A\nb\n<<<<<<< mine\nX\n=======\nY\n>>>>>>> theirs\nd\nE\n');
  expect(hasClashMarks(marked)).toBe(true);
  expect(hasClashMarks(text('a b c'))).toBe(false);
  const named = markedText(mergeLines('a', 'b', 'c'), { mine: 'draft', theirs: 'live' });
  expect(named).toBe('<<<<<<< draft\nb\n=======\nc\n>>>>>>> live\n');
  expect(hasClashMarks(named)).toBe(true);
  expect(markedText(mergeLines('a', 'b', 'c'))).toBe('<<<<<<< mine\nb\n=======\nc\n>>>>>>> theirs\n');
});

test('texts with thousands of changes are one clash and take no time', () => {
  const many = (word: string) => Array.from({ length: 5_000 }, (_, index) => `${word}${index}`).join('\n');
  expect(mergeLines(many('a'), many('b'), many('c')).map(({ kind }) => kind)).toEqual(['clash']);
});

const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', '\r\n');
const anyText = fc
  .array(line, { maxLength: 12 })
  .chain((lines) => fc.constantFrom(lines.join(''), `${lines.join('')}end`));

test('the parts of each side are its whole text, and the order of the sides changes only their names', () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (base, mine, theirs) => {
      const chunks = mergeLines(base, mine, theirs);
      const side = (name: 'base' | 'mine' | 'theirs') => chunks.flatMap((chunk) => chunk[name]).join('');
      expect([side('base'), side('mine'), side('theirs')]).toEqual([base, mine, theirs]);
      expect(mergedText(mergeLines(base, theirs, mine))).toBe(mergedText(chunks));
      expect(mergedText(mergeLines(base, mine, base))).toBe(mine);
      expect(mergedText(mergeLines(base, mine, mine))).toBe(mine);
    }),
    { numRuns: 2_000 },
  );
});

/** An edit at a share of the text. What it writes is told by the number of the edit. */
const edit = fc.record({ at: fc.nat(99), what: fc.constantFrom('insert', 'replace', 'remove') });
const edits = fc.array(edit, { maxLength: 6 });
type Edits = typeof edits extends fc.Arbitrary<infer T> ? T : never;

function edited(base: readonly string[], who: string, list: Edits): string[] {
  const lines = [...base];
  list.forEach(({ at, what }, number) => {
    const place = Math.floor((at / 100) * (lines.length + 1));
    lines.splice(place, what === 'insert' ? 0 : 1, ...(what === 'remove' ? [] : [`${who}${number}`]));
  });
  return lines;
}

test('any two sequences of edits, merged in either order, lose no line silently', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20 }), edits, edits, (length, first, second) => {
      const base = Array.from({ length }, (_, index) => `base${index}`);
      const [mine, theirs] = [edited(base, 'mine', first), edited(base, 'theirs', second)];
      const whole = (lines: readonly string[]) => lines.map((one) => `${one}\n`).join('');
      const chunks = mergeLines(whole(base), whole(mine), whole(theirs));
      const merged = mergedText(chunks);
      expect(mergedText(mergeLines(whole(base), whole(theirs), whole(mine)))).toBe(merged);
      const written = [...mine, ...theirs].filter((one) => !base.includes(one));
      if (merged === undefined) {
        for (const one of written) expect(markedText(chunks)).toContain(`${one}\n`);
        return;
      }
      const kept = base.filter((one) => mine.includes(one) && theirs.includes(one));
      expect(merged.split('\n').slice(0, -1).toSorted()).toEqual([...kept, ...written].toSorted());
    }),
    { numRuns: 3_000 },
  );
});
