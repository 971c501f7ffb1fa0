import { expect, test, vi } from 'vitest';
import { memoryStorage } from '@/lib/testing/memory-storage';
import { textFile } from './document';
import { findDraft } from './draft';
import { type EditorPage, keepUp } from './keep-up';
import type { SavedVersion } from './project-state';
import { createProjectStore } from './project-store';

const text = (words: string) => new Map([['note.md', textFile(words)]]);

/** A browser in which one window after the other is opened. */
function browser() {
  const histories = new Map<string, unknown>();
  const leave = new Set<() => void>();
  const hide = new Set<() => void>();
  const unload = new Set<() => void>();
  const back = new Set<() => void>();
  const others = new Set<() => void>();
  let warns = () => false;
  const on = (set: Set<() => void>) => (listener: () => void) => {
    set.add(listener);
    return () => void set.delete(listener);
  };
  const page: EditorPage = {
    storage: memoryStorage(),
    history: {
      read: async (project, window) => [histories.get(`${project} ${window}`)],
      // The database copies what it keeps.
      write: (project, window, history) => void histories.set(`${project} ${window}`, structuredClone(history)),
    },
    openWindow: async () => ({ id: 'w', isOpen: () => false }),
    onLeave: on(leave),
    onHide: on(hide),
    onReturn: on(back),
    warnBeforeLeaving(isNeeded) {
      warns = isNeeded;
      return on(unload)(() => undefined);
    },
    joinOthers(_, onSaved) {
      others.add(onSaved);
      return {
        tellSaved() {
          for (const tell of others) if (tell !== onSaved) tell();
        },
        leave: () => void others.delete(onSaved),
      };
    },
  };
  const fire = (set: Set<() => void>) => {
    for (const listener of set) listener();
  };
  return {
    page,
    goAway: () => fire(leave),
    comeBack: () => fire(back),
    listeners: () => [leave, hide, unload, back, others].reduce((sum, set) => sum + set.size, 0),
    isWarned: () => warns(),
  };
}

function open(page: EditorPage, newer: () => SavedVersion | undefined = () => undefined) {
  const project = createProjectStore(
    { projectId: 'p', name: 'P', saved: { version: 1, folder: text('saved') }, layoutPoints: {} },
    {
      save: async (version) => ({ kind: 'saved', version: version + 1 }),
      now: () => 0,
      nextFrame: (work) => work(),
      tryReading: async () => undefined,
    },
  );
  let isReady = false;
  const history: EditorPage['history'] = {
    ...page.history,
    write(...row) {
      isReady = true;
      page.history.write(...row);
    },
  };
  const close = keepUp(project, { newerThan: async () => newer() }, { ...page, storage: page.storage, history });
  return { ...project, close, ready: () => isReady };
}

/** Waits until the window has looked for a draft. From then on it keeps one. */
async function opened(project: ReturnType<typeof open>) {
  await vi.waitFor(() => expect(project.ready()).toBe(true));
}

const words = ({ store }: Pick<ReturnType<typeof open>, 'store'>) => store.getState().document.folder.get('note.md');

test('unsaved work is kept when the page goes away, and is back when it is opened again', async () => {
  const { page, goAway } = browser();
  const first = open(page);
  await opened(first);
  first.actions.edit(text('typed'), { label: 'Type' });
  goAway();
  expect(findDraft(page.storage, { projectId: 'p', windowId: 'w' })?.changes).toEqual(text('typed'));
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

test('a browser without room for a draft says so once saving fails, and asks before the page is left', async () => {
  const { page, goAway, isWarned } = browser();
  const project = open({
    ...page,
    storage: {
      getItem: () => null,
      removeItem: () => undefined,
      key: () => null,
      length: 0,
      setItem() {
        throw new Error('QuotaExceededError');
      },
    },
  });
  await opened(project);
  project.actions.edit(text('typed'), { label: 'Type' });
  goAway();
  expect(project.store.getState().notice).toBeUndefined();
  expect(isWarned()).toBe(true);
  project.store.setState({ saveFault: { message: 'Offline.' } });
  project.actions.edit(text('typed more'), { label: 'Type' });
  goAway();
  expect(project.store.getState().notice?.text).toContain('no room for a draft');
  project.actions.undo();
  project.actions.undo();
  expect(isWarned()).toBe(false);
  project.close();
});

test('after closing nothing listens to the page', () => {
  const { page, listeners } = browser();
  const project = open(page);
  expect(listeners()).toBe(5);
  project.close();
  expect(listeners()).toBe(0);
});

test('undo and redo survive a reload, with work that was not saved', async () => {
  const { page, goAway } = browser();
  const first = open(page);
  await opened(first);
  first.actions.edit(text('one'), { label: 'One' });
  await first.actions.save();
  first.actions.edit(text('two'), { label: 'Two' });
  first.actions.edit(text('three'), { label: 'Three' });
  first.actions.undo();
  goAway();
  first.close();
  const second = open(page, () => ({ version: 2, folder: text('one') }));
  await vi.waitFor(() => expect(words(second)).toEqual(textFile('two')));
  expect(second.store.getState()).toMatchObject({ dirty: true, saved: { version: 2 } });
  second.actions.redo();
  expect(words(second)).toEqual(textFile('three'));
  for (const expected of ['two', 'one', 'saved']) {
    second.actions.undo();
    expect(words(second)).toEqual(textFile(expected));
  }
  second.close();
});

test('a version that another window saves is shown here at once, and undo does not take it back', async () => {
  const { page } = browser();
  const first = open(page);
  const second = open(page, () => first.store.getState().saved);
  await opened(first);
  await opened(second);
  first.actions.edit(text('first'), { label: 'Type' });
  await first.actions.save();
  await vi.waitFor(() => expect(words(second)).toEqual(textFile('first')));
  expect(second.store.getState()).toMatchObject({ dirty: false, saved: { version: 2 } });
  second.actions.undo();
  expect(words(second)).toEqual(textFile('first'));
  first.actions.undo();
  expect(words(first)).toEqual(textFile('saved'));
  first.close();
  second.close();
});
