import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PartUse, PartUses } from '@/lib/base/uses';
import { createPartUses, sentencesAbout } from './part-uses';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const use = (more: Partial<PartUse> = {}): PartUse => ({
  ...{ project: 'p', projectName: 'Shop', isOwn: true, places: ['draft main'], agents: ['lead'], tests: [] },
  ...{ isSame: true, runs: 0 },
  ...more,
});
const uses = (more: Partial<PartUses> = {}): PartUses => ({ uses: [use()], grants: 0, unread: 0, ...more });
const writer = { kind: 'agent', name: 'writer' } as const;

test('F-18 a part that only the drawing needs is deleted without a question', async () => {
  const { store, actions } = createPartUses(async () => uses());
  const apply = vi.fn();
  actions.guard('Delete writer', [writer], apply);
  expect(apply).toHaveBeenCalledTimes(1);
  actions.look(writer);
  await vi.advanceTimersByTimeAsync(400);
  actions.guard('Delete writer', [writer], apply);
  expect([apply.mock.calls.length, store.getState().asked]).toEqual([2, undefined]);
});

test('F-18 tests, approvals and other projects that need it are named first, and the change waits', async () => {
  const known = uses({ uses: [use({ tests: ['noon'] }), use({ isOwn: false, projectName: 'Other' })], grants: 2 });
  const { store, actions } = createPartUses(async () => known);
  actions.look(writer);
  await vi.advanceTimersByTimeAsync(400);
  const apply = vi.fn();
  actions.guard('Delete writer', [writer], apply);
  expect(apply).not.toHaveBeenCalled();
  expect(store.getState().asked?.sentences).toEqual([
    "noon: a test that needs agent 'writer'.",
    "2 remembered approvals are about agent 'writer'.",
    'The same agent is in Other, which this does not change.',
  ]);
  actions.answer(false);
  expect([apply.mock.calls.length, store.getState().asked]).toEqual([0, undefined]);
  actions.guard('Delete writer', [writer], apply);
  actions.answer(true);
  expect(apply).toHaveBeenCalledTimes(1);
});

test('F-18 a walk through the graph asks about the last part alone, and what cannot be read is not known', async () => {
  const read = vi.fn(async () => undefined);
  const { store, actions } = createPartUses(read);
  for (const name of ['a', 'b', 'c']) actions.look({ kind: 'agent', name });
  await vi.advanceTimersByTimeAsync(400);
  expect(read.mock.calls).toEqual([[{ kind: 'agent', name: 'c' }]]);
  expect(store.getState().known.size).toBe(0);
});

test('F-18 many names are cut', () => {
  const tests = ['a', 'b', 'c', 'd', 'e', 'f'];
  expect(sentencesAbout(writer, uses({ uses: [use({ tests })] }))).toEqual([
    "a, b, c, d and 2 more: tests that need agent 'writer'.",
  ]);
});
