import { expect, test } from 'vitest';
import { textAfterMerge } from './text-after-merge';

test.each([
  ['the merge changed other files: a typed space stays', 'Help ', 'Help', 'Help', 'Help '],
  ['so do spaces and lines that are typed', 'Help\n\n  ', 'Help', 'Help', 'Help\n\n  '],
  ['so does a text that the document reads as something else', 'a, b,', 'a, b', 'a, b', 'a, b,'],
  ['the document is a key ahead', 'Help ', 'Hel', 'Help', 'Help '],
  ['others changed an earlier line', 'One\nHelp ', 'One\nHelp', 'First\nHelp', 'First\nHelp '],
])('%s', (_, typed, before, after, expected) => {
  expect(textAfterMerge(typed, { before, after })).toBe(expected);
});

test.each([
  ['others changed the same line', 'Help ', 'Help', 'Help me'],
  ['others emptied the field', 'Help ', 'Help', ''],
  ['others changed it, and no space was typed', 'One\nHelp', 'One\nHelp', 'First\nHelp'],
  ['only spaces were typed', '  ', '', 'Help'],
])('the field shows the document where %s', (_, typed, before, after) => {
  expect(textAfterMerge(typed, { before, after })).toBeUndefined();
});
