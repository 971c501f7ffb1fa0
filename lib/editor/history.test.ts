import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Folder } from '@/lib/cards/folder';
import { applyEdit, changesBetween, type EditedDocument, openDocument, textFile, undoEdit } from './document';
import { type History, keptHistory, readHistory, withHistory } from './history';

const folder = (files: Record<string, string>): Folder =>
  new Map(Object.entries(files).map(([path, text]) => [path, textFile(text)]));
const edit = (doc: EditedDocument, files: Record<string, string | null>) => {
  const changes = Object.entries(files).map(
    ([path, text]) => [path, text === null ? undefined : textFile(text)] as const,
  );
  return applyEdit(doc, new Map(changes), { label: 'Edit' });
};

/** What a browser has after a reload. */
function reload(history: History, limits?: Parameters<typeof keptHistory>[1]): History | undefined {
  return readHistory(structuredClone(keptHistory(history, limits)));
}

const historyOf = (doc: EditedDocument, saved: Folder, version = 1): History => ({
  version,
  unsaved: changesBetween(saved, doc.folder),
  past: doc.past,
  future: doc.future,
});

const step = fc.record({
  path: fc.constantFrom('a', 'b', 'c'),
  text: fc.option(fc.string({ maxLength: 4 }), { nil: null }),
});

test('after a reload every step can be undone and redone as before', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), fc.nat(8), (steps, undone) => {
      const saved = folder({ a: '1', b: '2' });
      let doc = openDocument(saved);
      for (const { path, text } of steps) doc = edit(doc, { [path]: text });
      for (let n = 0; n < undone; n++) doc = undoEdit(doc);
      const history = reload(historyOf(doc, saved));
      if (history === undefined) throw new Error('What was kept could not be read');
      const back = withHistory(openDocument(doc.folder), { version: 1, folder: doc.folder }, history, undefined);
      const unburst = (steps: EditedDocument['past']) => steps.map((one) => ({ ...one, burst: undefined }));
      expect(back).toEqual({ folder: doc.folder, past: unburst(doc.past), future: unburst(doc.future) });
    }),
  );
});

test('equal contents are kept once, and the oldest steps go when there is no room', () => {
  const saved = folder({ a: 'x'.repeat(100) });
  let doc = openDocument(saved);
  for (let n = 1; n <= 10; n++) doc = edit(doc, { a: `${n}`.padEnd(100, 'x') });
  const kept = keptHistory(historyOf(doc, saved), { steps: 200, characters: 550 });
  expect(kept.contents).toHaveLength(6);
  expect(kept.past).toHaveLength(5);
  expect(readHistory(kept)?.past).toEqual(doc.past.slice(-5));
  expect(keptHistory(historyOf(doc, saved), { steps: 3, characters: 9_000 }).past).toHaveLength(3);
});

test('steps of a file that was changed elsewhere since are forgotten, with all before them', () => {
  const saved = folder({ a: '1', b: '1' });
  let doc = edit(openDocument(saved), { b: '2' });
  doc = edit(doc, { a: '2' });
  doc = edit(doc, { b: '3' });
  const history = historyOf(doc, saved);
  const now = { version: 2, folder: folder({ a: 'theirs', b: '3' }) };
  const back = withHistory(openDocument(now.folder), now, history, undefined);
  expect(back.past).toEqual(doc.past.slice(-1));
  expect(back.folder).toEqual(now.folder);
});

test('letters that only the draft has become a step on top of the others', () => {
  const saved = { version: 1, folder: folder({ a: '1' }) };
  const doc = edit(openDocument(saved.folder), { a: '12' });
  const draft = { baseVersion: 1, changes: new Map([['a', textFile('123')]]), marks: new Map() };
  const back = withHistory(openDocument(saved.folder), saved, historyOf(doc, saved.folder), draft);
  expect(back.folder).toEqual(folder({ a: '123' }));
  expect(undoEdit(back).folder).toEqual(folder({ a: '12' }));
  expect(undoEdit(undoEdit(back)).folder).toEqual(saved.folder);
});

test('what is not ours is ignored', () => {
  const kept = keptHistory(historyOf(edit(openDocument(folder({ a: '1' })), { a: '2' }), folder({ a: '1' })));
  for (const value of [undefined, 7, {}, { ...kept, format: 2 }, { ...kept, contents: [] }, { ...kept, past: [{}] }]) {
    expect(readHistory(value)).toBeUndefined();
  }
});
