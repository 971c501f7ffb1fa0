import { expect, test, vi } from 'vitest';
import { textFile } from './document';
import { findDraft } from './draft';
import { keepUp } from './keep-up';
import type { SavedVersion } from './project-state';
import { createProjectStore } from './project-store';

const text = (words: string) => new Map([['note.md', textFile(words)]]);

/** A browser window with its storage. */
function browser() {
  const items = new Map<string, string>();
  const leave = new Set<() => void>();
  const back = new Set<() => void>();
  const on = (set: Set<() => void>) => (listener: () => void) => {
    set.add(listener);
    return () => void set.delete(listener);
  };
  const page = {
    storage: {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
      removeItem: (key: string) => void items.delete(key),
    },
    onLeave: on(leave),
    onReturn: on(back),
  };
  const fire = (set: Set<() => void>) => {
    for (const listener of set) listener();
  };
  return { page, goAway: () => fire(leave), comeBack: () => fire(back), listeners: () => leave.size + back.size };
}

function open(page: ReturnType<typeof browser>['page'], newer: () => SavedVersion | undefined = () => undefined) {
  const project = createProjectStore(
    { projectId: 'p', name: 'P', saved: { version: 1, folder: text('saved') }, layoutPoints: {} },
    {
      save: async (version) => ({ kind: 'saved', version: version + 1 }),
      now: () => 0,
      nextFrame: (work) => work(),
      tryReading: async () => undefined,
    },
  );
  return { ...project, close: keepUp(project, { newerThan: async () => newer() }, page) };
}

const words = ({ store }: Pick<ReturnType<typeof open>, 'store'>) => store.getState().document.folder.get('note.md');

test('unsaved work is kept when the page goes away, and is back when it is opened again', async () => {
  const { page, goAway } = browser();
  const first = open(page);
  first.actions.edit(text('typed'), { label: 'Type' });
  goAway();
  expect(findDraft(page.storage, 'p')?.changes).toEqual(text('typed'));
  first.close();
  const second = open(page);
  await vi.waitFor(() => expect(words(second)).toEqual(textFile('typed')));
  expect(second.store.getState().dirty).toBe(true);
  second.close();
});

test('a version that was saved elsewhere is shown when the page is looked at again', async () => {
  const { page, comeBack } = browser();
  let newest: SavedVersion | undefined;
  const project = open(page, () => newest);
  newest = { version: 2, folder: text('theirs') };
  comeBack();
  await vi.waitFor(() => expect(words(project)).toEqual(textFile('theirs')));
  expect(project.store.getState()).toMatchObject({ dirty: false, saved: { version: 2 } });
  project.close();
});

test('a browser without room for a draft says so', () => {
  const { page, goAway } = browser();
  const project = open({
    ...page,
    storage: {
      ...page.storage,
      setItem() {
        throw new Error('QuotaExceededError');
      },
    },
  });
  project.actions.edit(text('typed'), { label: 'Type' });
  goAway();
  expect(project.store.getState().notice?.text).toContain('no room for a draft');
  project.close();
});

test('after closing nothing listens to the page', () => {
  const { page, listeners } = browser();
  const project = open(page);
  expect(listeners()).toBe(2);
  project.close();
  expect(listeners()).toBe(0);
});
