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

const card = (name: string, fields: string, words: string) => `---\nname: ${name}\n${fields}---\n${words}\n`;
const lead = (fields: string, words: string) => ({ 'lead.md': card('lead', fields, words) });
const textOf = (result: Folder, path: string) => textAt(result, path);

test('changes in different places of one card are both in it', () => {
  const result = rebase(
    folder(lead('', 'One.\n\nTwo.\n\nThree.')),
    folder(lead('model: mine\n', 'One.\n\nTwo.\n\nThree.')),
    folder(lead('', 'One.\n\nTwo.\n\nTheirs.')),
  );
  expect(textOf(result.folder, 'lead.md')).toBe(card('lead', 'model: mine\n', 'One.\n\nTwo.\n\nTheirs.'));
  expect(result).toMatchObject({ clashes: [], taken: [], merged: ['lead.md'] });
});

test('a merge that would make a card unreadable is asked about', () => {
  // As text both fit; as YAML the card would have two keys of one name.
  const fields = 'servers: [a]\nuse_history: true\n';
  const result = rebase(
    folder(lead(fields, 'Work.')),
    folder(lead(`model: mine\n${fields}`, 'Work.')),
    folder(lead(`${fields}model: theirs\n`, 'Work.')),
  );
  expect(result).toMatchObject({ clashes: ['lead.md'], merged: [] });
});

test('a file that one side renamed and the other one edited has the new name and the edit', () => {
  const words = 'One.\n\nTwo.\n\nThree.';
  const base = folder(lead('', words));
  const renamed = folder({ 'boss.md': card('boss', '', words) });
  const edited = folder(lead('', 'One.\n\nTwo.\n\nFour.'));
  const both = { 'boss.md': card('boss', '', 'One.\n\nTwo.\n\nFour.') };
  for (const [mine, theirs, by] of [
    [renamed, edited, 'mine'],
    [edited, renamed, 'theirs'],
  ] as const) {
    const result = rebase(base, mine, theirs);
    expect(result.folder).toEqual(folder(both));
    expect(result).toMatchObject({ clashes: [], moved: [{ from: 'lead.md', to: 'boss.md', by }] });
  }
});

test('a file that both sides renamed and changed in one place is asked about under its new name', () => {
  const base = folder(lead('', 'One.\n\nTwo.\n\nThree.'));
  const mine = folder({ 'boss.md': card('lead', '', 'One.\n\nTwo.\n\nMine.') });
  const theirs = folder({ 'boss.md': card('lead', '', 'One.\n\nTwo.\n\nTheirs.') });
  const { clashes, sides } = rebase(base, mine, theirs);
  expect(clashes).toEqual(['boss.md']);
  expect(sides.base).toEqual(folder({ 'boss.md': card('lead', '', 'One.\n\nTwo.\n\nThree.') }));
});

test('a file that both sides added with different content is asked about', () => {
  expect(rebase(folder({}), folder({ a: '1' }), folder({ a: '2' })).clashes).toEqual(['a']);
  expect(rebase(folder({}), folder({ a: '1' }), folder({ a: '1' })).clashes).toEqual([]);
});

test('a side that changed only line ends keeps them, with the change of the other side', () => {
  const crlf = (text: string) => text.replaceAll('\n', '\r\n');
  const words = 'One.\n\nTwo.\n\nThree.';
  const result = rebase(
    folder(lead('', words)),
    folder({ 'lead.md': crlf(card('lead', '', words)) }),
    folder(lead('', 'One.\n\nTwo.\n\nTheirs.')),
  );
  expect(textOf(result.folder, 'lead.md')).toBe(crlf(card('lead', '', 'One.\n\nTwo.\n\nTheirs.')));
  expect(result).toMatchObject({ clashes: [], merged: ['lead.md'] });
});
