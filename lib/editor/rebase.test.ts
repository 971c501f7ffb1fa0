import { expect, test } from 'vitest';
import type { Folder } from '@/lib/cards/folder';
import { textAt, textFile } from './document';
import { fileMark } from './file-mark';
import { draftBase, rebase } from './rebase';

const folder = (files: Record<string, string>): Folder =>
  new Map(Object.entries(files).map(([path, text]) => [path, textFile(text)]));

test('puts my changes on theirs and names the files both changed', () => {
  const base = folder({ mine: '0', theirs: '0', both: '0', same: '0', gone: '0' });
  const mine = folder({ mine: '1', theirs: '0', both: 'm', same: 'x', gone: '0' });
  const theirs = folder({ mine: '0', theirs: '2', both: 't', same: 'x', new: 'n' });
  const result = rebase(base, mine, theirs);
  expect(Object.fromEntries([...result.folder.keys()].map((path) => [path, textAt(result.folder, path)]))).toEqual({
    mine: '1',
    theirs: '2',
    both: 'm',
    same: 'x',
    new: 'n',
  });
  expect(result.clashes).toEqual(['both']);
  expect(result.taken).toEqual(['gone', 'new', 'theirs']);
});

test('a file I removed and they changed is a clash, and stays removed', () => {
  const result = rebase(folder({ a: '0' }), folder({}), folder({ a: '1' }));
  expect(result.folder.has('a')).toBe(false);
  expect(result.clashes).toEqual(['a']);
});

test('a draft that was made on an older version clashes only where others changed the same file', () => {
  const base = folder({ a: '0', b: '0', c: '0' });
  const changes = new Map([...folder({ a: '1', b: '1', c: '2' })]);
  const marks = new Map([...base].map(([path, file]) => [path, [fileMark(file), fileMark(textFile('1'))]]));
  const saved = { version: 2, folder: folder({ a: '0', b: 'theirs', c: '1', d: 'new' }) };
  const from = draftBase({ baseVersion: 1, changes, marks }, saved);
  const { clashes, taken } = rebase(from, folder({ a: '1', b: '1', c: '2', d: 'new' }), saved.folder);
  expect({ clashes, taken }).toEqual({ clashes: ['b'], taken: [] });
});
