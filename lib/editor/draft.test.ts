import { expect, test } from 'vitest';
import type { Folder } from '@/lib/cards/folder';
import { textFile, withChanges } from './document';
import { findDraft, keepDraft } from './draft';

const folder = (files: Record<string, string>): Folder =>
  new Map(Object.entries(files).map(([path, text]) => [path, textFile(text)]));

function memory() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

test('brings unsaved changes back, removed files included', () => {
  const storage = memory();
  const saved = { version: 3, folder: folder({ a: '1', b: '2' }) };
  const edited = folder({ a: '1!', c: '3' });
  expect(keepDraft(storage, 'p', saved, edited)).toBe(true);
  const draft = findDraft(storage, 'p');
  expect(draft?.baseVersion).toBe(3);
  expect(withChanges(saved.folder, draft?.changes ?? new Map())).toEqual(edited);
});

test('keeps nothing when nothing is unsaved, and ignores what is not ours', () => {
  const storage = memory();
  const saved = { version: 1, folder: folder({ a: '1' }) };
  keepDraft(storage, 'p', saved, folder({ a: '2' }));
  keepDraft(storage, 'p', saved, folder({ a: '1' }));
  expect(findDraft(storage, 'p')).toBeUndefined();
  storage.setItem('callboard:draft:p', '{"files": 7}');
  expect(findDraft(storage, 'p')).toBeUndefined();
});

test('says when the browser has no room', () => {
  const storage = {
    ...memory(),
    setItem: () => {
      throw new Error('QuotaExceededError');
    },
  };
  expect(keepDraft(storage, 'p', { version: 1, folder: folder({}) }, folder({ a: '1' }))).toBe(false);
});
