import { expect, test } from 'vitest';
import type { Folder } from '@/lib/cards/folder';
import { memoryStorage } from '@/lib/testing/memory-storage';
import { textFile, withChanges } from './document';
import { findDraft, keepDraft, projectsWithDraft, removeDraft } from './draft';
import { fileMark } from './file-mark';

const folder = (files: Record<string, string>): Folder =>
  new Map(Object.entries(files).map(([path, text]) => [path, textFile(text)]));

const place = { projectId: 'p', windowId: 'w' };

test('brings unsaved changes back, removed files included', () => {
  const storage = memoryStorage();
  const saved = { version: 3, folder: folder({ a: '1', b: '2' }) };
  const edited = folder({ a: '1!', c: '3' });
  expect(keepDraft(storage, place, saved, edited)).toBe(true);
  const draft = findDraft(storage, place);
  expect(draft?.baseVersion).toBe(3);
  expect(withChanges(saved.folder, draft?.changes ?? new Map())).toEqual(edited);
});

test('keeps nothing when nothing is unsaved, and ignores what is not ours', () => {
  const storage = memoryStorage();
  const saved = { version: 1, folder: folder({ a: '1' }) };
  keepDraft(storage, place, saved, folder({ a: '2' }));
  keepDraft(storage, place, saved, folder({ a: '1' }));
  expect(findDraft(storage, place)).toBeUndefined();
  storage.setItem('callboard:draft:p:w', '{"files": 7}');
  expect(findDraft(storage, place)).toBeUndefined();
});

test('names the projects with unsaved work in any window', () => {
  const storage = memoryStorage();
  const saved = { version: 1, folder: folder({ a: '1' }) };
  for (const [projectId, windowId] of [
    ['q', 'v'],
    ['p', 'w'],
    ['p', 'v'],
    ['o', undefined],
  ] as const)
    keepDraft(storage, { projectId, windowId }, saved, folder({ a: '2' }));
  keepDraft(storage, { projectId: 'n', windowId: 'w' }, saved, saved.folder);
  storage.setItem('callboard.theme', 'dark');
  expect(projectsWithDraft(storage)).toEqual(['o', 'p', 'q']);
});

test('says when the browser has no room', () => {
  const storage = {
    ...memoryStorage(),
    setItem: () => {
      throw new Error('QuotaExceededError');
    },
  };
  expect(keepDraft(storage, place, { version: 1, folder: folder({}) }, folder({ a: '1' }))).toBe(false);
});

test('each window keeps its own draft, and one of a closed window is found by the next', () => {
  const storage = memoryStorage();
  const saved = { version: 1, folder: folder({ a: '1' }) };
  const other = { projectId: 'p', windowId: 'other' };
  keepDraft(storage, other, saved, folder({ a: 'theirs' }));
  expect(findDraft(storage, place, (id) => id === 'other')).toBeUndefined();
  keepDraft(storage, place, saved, folder({ a: '1' }));
  const found = findDraft(storage, place);
  expect(found).toMatchObject({ place: other, changes: folder({ a: 'theirs' }) });
  keepDraft(storage, place, saved, folder({ a: 'mine' }));
  expect(findDraft(storage, place)?.changes).toEqual(folder({ a: 'mine' }));
  removeDraft(storage, other);
  keepDraft(storage, place, saved, saved.folder);
  expect(findDraft(storage, place)).toBeUndefined();
});

test('a draft of an earlier version of the app, which all windows shared, is found', () => {
  const storage = memoryStorage();
  storage.setItem('callboard:draft:p', JSON.stringify({ baseVersion: 2, files: [['a', 'x']] }));
  expect(findDraft(storage, place)).toMatchObject({ baseVersion: 2, changes: folder({ a: 'x' }), marks: new Map() });
});

test('a draft marks what it was made on, and what was sent', () => {
  const storage = memoryStorage();
  const saved = { version: 1, folder: folder({ a: '1' }) };
  keepDraft(storage, place, saved, folder({ a: '3', b: 'n' }), [folder({ a: '2' })]);
  const marks = findDraft(storage, place)?.marks;
  expect(marks?.get('a')).toEqual([fileMark(textFile('1')), fileMark(textFile('2'))]);
  expect(marks?.get('b')).toEqual([fileMark(undefined)]);
});
