import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { lostChanges } from './lost-changes';

const at = (lines: string | undefined) =>
  folderOf(
    lines === undefined
      ? {}
      : {
          'a.md': lines
            .split(' ')
            .map((line) => `${line}\n`)
            .join(''),
        },
  );

test.each([
  ['a line that the other side added', 'a b c', 'a b C', 'x a b c'],
  ['a line that the other side removed, and that was changed here', 'a shell c', 'a SHELL c', 'a c'],
  ['a line that the other side removed, with a change beside it', 'a shell c', 'a shell C', 'a c'],
  ['a line that the other side removed, with an added line beside it', 'a shell c', 'a shell x c', 'a c'],
  ['one of two equal lines that the other side removed', 'a x x c', 'a x x y c', 'a x c'],
  ['a change of the same line', 'a b c', 'a mine c', 'a theirs c'],
  ['a file that the other side removed', 'a b', 'a B', undefined],
  ['a file that the other side changed and that was removed here', 'a b', undefined, 'a B'],
  ['a file that both added', undefined, 'a', 'b'],
])('is lost: %s', (_what, base, mine, theirs) => {
  expect(lostChanges(at(base), at(mine), at(theirs))).toEqual(['a.md']);
});

test.each([
  ['the same file', 'a b', 'a B', 'a B'],
  ['changes in different places', 'a b c d e', 'A b c d E', 'a b c d E'],
  ['an added line beside one of this side', 'a b', 'a x y b', 'a x b'],
  ['a changed line with one of this side beside it', 'a b', 'a B y', 'a B'],
  ['a removed line, with a change of the line beside it', 'a shell c', 'a C', 'a c'],
  ['a file that only this side changed', 'a b', 'a B', 'a b'],
])('is kept: %s', (_what, base, mine, theirs) => {
  expect(lostChanges(at(base), at(mine), at(theirs))).toEqual([]);
});
