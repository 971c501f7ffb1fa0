import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import { applyEdit, changesBetween, openDocument, redoEdit, textFile, undoEdit, withChanges } from './document';

const folder = (files: Record<string, string>): Folder =>
  new Map(Object.entries(files).map(([path, text]) => [path, textFile(text)]));
const texts = (files: Folder) => Object.fromEntries([...files].map(([path, file]) => [path, textOf(file)]));
const textOf = (file: FolderFile) => (file.kind === 'text' ? file.text : file.kind);
const set = (path: string, text: string | undefined) =>
  new Map([[path, text === undefined ? undefined : textFile(text)]]);

describe('an edited document', () => {
  test('does, undoes and redoes a change of several files, one of them new and one removed', () => {
    const opened = openDocument(folder({ a: '1', b: '2' }));
    const changes = new Map([...set('a', '1!'), ...set('b', undefined), ...set('c', '3')]);
    const done = applyEdit(opened, changes, { label: 'Change' });
    expect(texts(done.folder)).toEqual({ a: '1!', c: '3' });
    const undone = undoEdit(done);
    expect(texts(undone.folder)).toEqual({ a: '1', b: '2' });
    expect(texts(redoEdit(undone).folder)).toEqual({ a: '1!', c: '3' });
  });

  test('takes a burst of typing back in one step, and a pause starts the next step', () => {
    const type = (text: string, at: number) => [set('a', text), { label: 'Type', burst: { key: 'a', at } }] as const;
    let doc = openDocument(folder({ a: '' }));
    doc = applyEdit(doc, ...type('h', 0));
    doc = applyEdit(doc, ...type('hi', 100));
    doc = applyEdit(doc, ...type('hi y', 5_000));
    doc = applyEdit(doc, ...type('hi you', 5_100));
    expect(doc.past).toHaveLength(2);
    doc = undoEdit(doc);
    expect(texts(doc.folder)).toEqual({ a: 'hi' });
    expect(texts(undoEdit(doc).folder)).toEqual({ a: '' });
  });

  test('does not join a burst across an undo', () => {
    const burst = { key: 'a', at: 0 };
    let doc = applyEdit(openDocument(folder({ a: '' })), set('a', 'x'), { label: 'Type', burst });
    doc = redoEdit(undoEdit(doc));
    doc = applyEdit(doc, set('a', 'xy'), { label: 'Type', burst });
    expect(doc.past).toHaveLength(2);
  });

  test('a change that changes nothing is no step', () => {
    const opened = openDocument(folder({ a: '1' }));
    expect(applyEdit(opened, set('a', '1'), { label: 'Same' })).toBe(opened);
  });

  test('a new edit forgets what was undone', () => {
    const done = applyEdit(openDocument(folder({ a: '1' })), set('a', '2'), { label: 'Two' });
    const other = applyEdit(undoEdit(done), set('a', '3'), { label: 'Three' });
    expect(redoEdit(other)).toBe(other);
  });

  test('undoing everything gives the first folder, redoing everything the last, for any edits', () => {
    const change = fc.record({
      path: fc.constantFrom('a', 'b', 'c'),
      text: fc.option(fc.string(), { nil: undefined }),
      burst: fc.option(fc.record({ key: fc.constantFrom('x', 'y'), at: fc.nat(3000) }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (edits) => {
        const opened = openDocument(folder({ a: 'one', b: 'two' }));
        let doc = opened;
        for (const { path, text, burst } of edits) {
          doc = applyEdit(doc, set(path, text), { label: 'Edit', ...(burst === undefined ? {} : { burst }) });
        }
        const last = texts(doc.folder);
        const steps = doc.past.length;
        for (let n = 0; n < steps; n++) doc = undoEdit(doc);
        expect(texts(doc.folder)).toEqual(texts(opened.folder));
        for (let n = 0; n < steps; n++) doc = redoEdit(doc);
        expect(texts(doc.folder)).toEqual(last);
      }),
    );
  });
});

test('the changes between two folders turn one into the other', () => {
  const from = folder({ a: '1', b: '2' });
  const to = folder({ b: '2', c: '3' });
  expect([...changesBetween(from, to).keys()]).toEqual(['a', 'c']);
  expect(texts(withChanges(from, changesBetween(from, to)))).toEqual(texts(to));
});
