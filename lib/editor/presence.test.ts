import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Presence, PresentWindow } from '@/lib/base/presence';
import { createPresence, lockOn, type PresencePorts } from './presence';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Heard = Parameters<Parameters<PresencePorts['watch']>[0]>[0];

function open() {
  const said: Presence['place'][] = [];
  const left: string[] = [];
  const taken: string[] = [];
  const versions: number[] = [];
  let hear: ((present: Heard) => void) | undefined;
  const session = createPresence(
    { id: 'me', draft: 'main' },
    {
      say: async ({ place }) => void said.push(place),
      leave: async (window) => void left.push(window),
      watch(onPresent) {
        hear = onPresent;
        return () => {
          hear = undefined;
        };
      },
      onVersion: (version) => versions.push(version),
      onTaken: (text) => taken.push(text),
    },
    { page: 'editor', selected: [] },
  );
  const tell = (...people: readonly PresentWindow[]) => hear?.({ people, version: 3 });
  return { ...session, said, left, taken, versions, tell, isWatching: () => hear !== undefined };
}

const at = (id: string, more: Partial<PresentWindow> = {}): PresentWindow => ({
  ...{ id, since: 1, name: 'Ben', you: id === 'me', draft: 'main', page: 'editor', selected: [] },
  ...more,
});

test('a walk through the graph is one message, and an idle window reports itself some times a minute', () => {
  const { actions, said } = open();
  actions.come();
  expect(said).toEqual([{ page: 'editor', selected: [] }]);
  for (const node of ['a', 'b', 'c']) actions.move({ page: 'editor', selected: [node] });
  vi.advanceTimersByTime(400);
  expect(said.slice(1)).toEqual([{ page: 'editor', selected: ['c'] }]);
  vi.advanceTimersByTime(60_000);
  expect(said.length).toBeGreaterThan(5);
  expect(said.length).toBeLessThan(12);
});

test('a hidden page sends and reads nothing until it is visible again', () => {
  const { actions, said, left, store, tell, isWatching } = open();
  actions.come();
  tell(at('other'));
  expect(store.getState().others).toHaveLength(1);
  actions.go();
  expect([isWatching(), store.getState().others, left]).toEqual([false, [], ['me']]);
  actions.move({ page: 'editor', selected: ['x'] });
  vi.advanceTimersByTime(60_000);
  expect(said).toHaveLength(1);
  actions.come();
  expect(said.at(-1)).toEqual({ page: 'editor', selected: ['x'] });
});

test('a field that somebody edits is entered only by taking it', () => {
  const { actions, said, store, tell } = open();
  actions.come();
  tell(at('other', { editing: 'k#F' }));
  expect(lockOn(store.getState(), 'k#F')?.name).toBe('Ben');
  actions.edit('k#F');
  expect(store.getState().editing).toBeUndefined();
  actions.take('k#F');
  expect(said.at(-1)).toMatchObject({ editing: 'k#F', taken: true });
  expect(lockOn(store.getState(), 'k#F')).toBeUndefined();
});

test('the same field of another draft is free', () => {
  const { actions, said, taken, store, tell } = open();
  actions.come();
  const other = at('other', { draft: 'pricing', editing: 'k#F', taken: true, since: 9 });
  tell(other);
  expect(lockOn(store.getState(), 'k#F')).toBeUndefined();
  expect([store.getState().others.length, store.getState().beside]).toEqual([1, []]);
  actions.edit('k#F');
  vi.advanceTimersByTime(400);
  expect(said.at(-1)).toMatchObject({ editing: 'k#F' });
  tell(other, at('me', { editing: 'k#F', since: 5 }));
  expect(store.getState().editing).toBe('k#F');
  expect(taken).toEqual([]);
});

test('a person who loses a field reads once who took it', () => {
  const { actions, taken, store, tell } = open();
  actions.come();
  actions.edit('k#Prompt');
  vi.advanceTimersByTime(400);
  tell(at('me', { editing: 'k#Prompt' }));
  const other = at('other', { editing: 'k#Prompt', taken: true, since: 9 });
  tell(at('me', { editing: 'k#Prompt' }), other);
  tell(at('me', { editing: 'k#Prompt' }), other);
  expect(taken).toEqual(['Ben took over Prompt. What you wrote is kept.']);
  expect(store.getState().editing).toBeUndefined();
});

test('each message has the version that others saved', () => {
  const { actions, versions, tell } = open();
  actions.come();
  tell();
  expect(versions).toEqual([3]);
});

test('a person who pauses for half a minute no longer holds the field', () => {
  const { actions, said, store } = open();
  actions.come();
  actions.edit('k#Prompt');
  vi.advanceTimersByTime(20_000);
  actions.edit('k#Prompt');
  vi.advanceTimersByTime(20_000);
  expect(store.getState().editing).toBe('k#Prompt');
  vi.advanceTimersByTime(15_000);
  expect(store.getState().editing).toBeUndefined();
  expect(said.at(-1)).toEqual({ page: 'editor', selected: [] });
});
