import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { autosave } from './autosave';
import { textFile } from './document';
import type { SaveOutcome } from './project-state';
import { createProjectStore } from './project-store';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const requests: { readonly words: string; readonly answer: (outcome: SaveOutcome) => Promise<void> }[] = [];
  const listeners = { hide: new Set<() => void>(), leave: new Set<() => void>(), back: new Set<() => void>() };
  const on = (set: Set<() => void>) => (listener: () => void) => {
    set.add(listener);
    return () => void set.delete(listener);
  };
  const fire = (set: Set<() => void>) => {
    for (const listener of set) listener();
  };
  const project = createProjectStore(
    { projectId: 'p', name: 'P', saved: { version: 1, folder: new Map([['a.md', textFile('')]]) }, layoutPoints: {} },
    {
      save: (_, changes) =>
        new Promise((resolve) => {
          const file = changes.get('a.md');
          const answer = async (outcome: SaveOutcome) => {
            resolve(outcome);
            await vi.advanceTimersByTimeAsync(0);
          };
          requests.push({ words: file?.kind === 'text' ? file.text : '', answer });
        }),
      now: () => Date.now(),
      nextFrame: (work) => work(),
      tryReading: async () => undefined,
    },
  );
  const page = { onHide: on(listeners.hide), onLeave: on(listeners.leave), onReturn: on(listeners.back) };
  const stop = autosave(project, page, () => Date.now());
  return {
    ...project,
    requests,
    stop,
    type: (text: string) => project.actions.type(new Map([['a.md', textFile(text)]]), { label: 'Type' }),
    hide: () => fire(listeners.hide),
    comeBack: () => fire(listeners.back),
    sent: () => requests.map(({ words }) => words),
    answer: async (outcome: SaveOutcome) => await requests.at(-1)?.answer(outcome),
  };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const down: SaveOutcome = { kind: 'failed', message: 'The server does not answer.' };

test('edits are saved after a pause, in one request', async () => {
  const { type, sent, store, answer } = open();
  type('h');
  await pass(900);
  type('hi');
  await pass(900);
  expect(sent()).toEqual([]);
  await pass(100);
  expect(sent()).toEqual(['hi']);
  await answer({ kind: 'saved', version: 2 });
  expect(store.getState()).toMatchObject({ dirty: false, saving: false, saved: { version: 2 } });
  await pass(60_000);
  expect(sent()).toEqual(['hi']);
});

test('typing without a pause is saved every few seconds', async () => {
  const { type, sent } = open();
  for (let letters = 1; letters <= 11; letters++) {
    type('x'.repeat(letters));
    await pass(500);
  }
  expect(sent()).toEqual(['x'.repeat(10)]);
});

test('what is typed during a request is sent when it has ended, never beside it', async () => {
  const { type, sent, answer, store } = open();
  type('one');
  await pass(1_000);
  type('two');
  await pass(10_000);
  expect(sent()).toEqual(['one']);
  await answer({ kind: 'saved', version: 2 });
  await pass(1_000);
  expect(sent()).toEqual(['one', 'two']);
  await answer({ kind: 'saved', version: 3 });
  expect(store.getState().dirty).toBe(false);
});

test('a failed save is tried again with longer and longer waits, also while more is typed', async () => {
  const { type, sent, answer, store } = open();
  type('one');
  await pass(1_000);
  await answer(down);
  type('two');
  await pass(1_999);
  expect(sent()).toEqual(['one']);
  await pass(1);
  expect(sent()).toEqual(['one', 'two']);
  await answer(down);
  await pass(3_999);
  expect(sent()).toHaveLength(2);
  await pass(1);
  await answer(down);
  await pass(8_000);
  expect(sent()).toHaveLength(4);
  await answer({ kind: 'saved', version: 2 });
  expect(store.getState()).toMatchObject({ dirty: false, saveFault: undefined });
  type('three');
  await pass(1_000);
  expect(sent()).toHaveLength(5);
});

test('the next try comes at once when the page is looked at again or the network is back', async () => {
  const { type, sent, answer, comeBack } = open();
  type('one');
  await pass(1_000);
  await answer(down);
  comeBack();
  expect(sent()).toEqual(['one', 'one']);
});

test('a failure that a retry cannot help waits for the next edit', async () => {
  const { type, sent, answer, comeBack } = open();
  type('too large');
  await pass(1_000);
  await answer({ kind: 'failed', message: 'The file is too large.', lasting: true });
  comeBack();
  await pass(600_000);
  expect(sent()).toHaveLength(1);
  type('small');
  await pass(1_000);
  expect(sent()).toEqual(['too large', 'small']);
});

test('nothing is sent while a conflict waits for an answer', async () => {
  const { type, sent, answer, actions } = open();
  type('mine');
  await pass(1_000);
  await answer({
    kind: 'conflict',
    message: 'Saved by Ann.',
    theirs: { version: 5, folder: new Map([['a.md', textFile('theirs')]]) },
  });
  actions.dismissConflict();
  type('mine too');
  await pass(600_000);
  expect(sent()).toEqual(['mine']);
  void actions.resolveConflict(new Map());
  expect(sent()).toEqual(['mine', 'mine too']);
});

test('edits are saved at once when the page is hidden, and when the editor is left', async () => {
  const { type, sent, hide, stop, answer } = open();
  type('one');
  hide();
  expect(sent()).toEqual(['one']);
  await answer({ kind: 'saved', version: 2 });
  type('two');
  stop();
  expect(sent()).toEqual(['one', 'two']);
  type('three');
  await pass(60_000);
  expect(sent()).toEqual(['one', 'two']);
});
