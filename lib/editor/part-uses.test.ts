import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AskedPart, PartUse, PartUses } from '@/lib/base/uses';
import { createPartUses } from './part-uses';
import { isUsedElsewhere, reasonsAbout } from './uses-words';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const use = (more: Partial<PartUse> = {}): PartUse => ({
  ...{ project: 'p', projectName: 'Shop', isOwn: true, places: ['main draft'], agents: ['lead'], tests: [] },
  ...{ isSame: true, runs: 0 },
  ...more,
});
const uses = (more: Partial<PartUses> = {}): PartUses => ({
  ...{ uses: [use()], grants: 0, earlierRuns: 0, unread: 0 },
  ...more,
});
const needed = uses({ uses: [use({ tests: ['noon'] })] });
const writer = { kind: 'agent', name: 'writer' } as const;
const needsWriter = "noon: a test that needs agent 'writer'.";

function open(read: (part: AskedPart) => Promise<PartUses | undefined>) {
  let version = 1;
  const { store, actions } = createPartUses(read, { name: 'main', version: () => version });
  const apply = vi.fn();
  return {
    ...{ store, actions, apply },
    save: () => {
      version += 1;
    },
    remove: (parts: readonly AskedPart[] = [writer]) =>
      actions.guard('Delete writer', parts, apply, { isDeletion: true }),
    seen: () => ({ applied: apply.mock.calls.length, asked: store.getState().asked?.sentences }),
    settle: () => vi.advanceTimersByTimeAsync(1),
  };
}

test('a part that only the drawing needs is deleted without a question, at once if that is known', async () => {
  const { actions, remove, seen, settle } = open(async () => uses());
  remove();
  expect(seen()).toEqual({ applied: 0, asked: undefined });
  await settle();
  expect(seen()).toEqual({ applied: 1, asked: undefined });
  actions.look(writer);
  await vi.advanceTimersByTimeAsync(400);
  remove();
  expect(seen()).toEqual({ applied: 2, asked: undefined });
});

test('a part that nobody looked at yet is read before it is deleted', async () => {
  const { remove, seen, settle, actions } = open(async () => needed);
  remove();
  await settle();
  expect(seen()).toEqual({ applied: 0, asked: [needsWriter] });
  actions.answer(true);
  expect(seen()).toEqual({ applied: 1, asked: undefined });
});

test('what was read before the last save is read again', async () => {
  let now = uses();
  const { actions, save, remove, seen, settle } = open(async () => now);
  actions.look(writer);
  await vi.advanceTimersByTimeAsync(400);
  now = needed;
  save();
  remove();
  await settle();
  expect(seen()).toEqual({ applied: 0, asked: [needsWriter] });
});

test('each of several parts is asked about', async () => {
  const { remove, seen, settle } = open(async ({ name }) =>
    uses({ uses: [use({ tests: name === 'b' ? [] : [`t-${name}`] })] }),
  );
  remove(['a', 'b', 'c'].map((name) => ({ kind: 'agent', name }) as const));
  await settle();
  expect(seen().asked).toEqual(["t-a: a test that needs agent 'a'.", "t-c: a test that needs agent 'c'."]);
});

test('a slow server shows that it is asked, and the person may go on or stop', async () => {
  const { store, actions, remove, seen } = open(() => new Promise(() => {}));
  remove();
  await vi.advanceTimersByTimeAsync(200);
  expect(store.getState().asked).toBeUndefined();
  await vi.advanceTimersByTimeAsync(100);
  expect(store.getState().asked).toMatchObject({ label: 'Delete writer', isReading: true, isLate: true });
  actions.answer(false);
  expect(seen()).toEqual({ applied: 0, asked: undefined });
  remove();
  await vi.advanceTimersByTimeAsync(300);
  actions.answer(true);
  expect(seen()).toEqual({ applied: 1, asked: undefined });
});

test('what comes late is asked as something late, and the next question is not', async () => {
  let answer = (_: PartUses) => {};
  const late = new Promise<PartUses>((resolve) => {
    answer = resolve;
  });
  const { store, actions, remove, settle } = open((part) => (part === writer ? late : Promise.resolve(needed)));
  remove();
  await vi.advanceTimersByTimeAsync(300);
  answer(needed);
  await settle();
  expect(store.getState().asked).toMatchObject({ isReading: false, isLate: true });
  actions.answer(false);
  remove([{ kind: 'agent', name: 'other' }]);
  await settle();
  expect(store.getState().asked).toMatchObject({ isReading: false, isLate: false });
});

test('an answer after the person went on changes nothing more', async () => {
  let answer = (_: PartUses) => {};
  const late = new Promise<PartUses>((resolve) => {
    answer = resolve;
  });
  const { actions, remove, seen, settle } = open(() => late);
  remove();
  await vi.advanceTimersByTimeAsync(300);
  actions.answer(true);
  answer(needed);
  await settle();
  expect(seen()).toEqual({ applied: 1, asked: undefined });
});

test('a server that is away is reported, and the person may go on', async () => {
  const { store, actions, remove, seen, settle } = open(async () => undefined);
  remove();
  await settle();
  expect(seen()).toEqual({ applied: 0, asked: ["Where agent 'writer' may be used could not be read now."] });
  expect([...store.getState().failed]).toEqual(['agent writer']);
  actions.answer(true);
  expect(seen().applied).toBe(1);
});

test('a key that is held down asks once, and the next change waits for the first', async () => {
  const { actions, remove, seen, settle } = open(async () => needed);
  const other = vi.fn();
  remove();
  remove();
  actions.guard('Delete critic', [{ kind: 'agent', name: 'critic' }], other);
  await settle();
  actions.answer(true);
  await settle();
  expect(seen()).toEqual({ applied: 1, asked: ["noon: a test that needs agent 'critic'."] });
  actions.answer(false);
  await settle();
  expect([seen().applied, other.mock.calls.length]).toEqual([1, 0]);
});

test('a walk through the graph asks about the last part alone, and what cannot be read is not known', async () => {
  const read = vi.fn(async () => undefined);
  const { store, actions } = open(read);
  for (const name of ['a', 'b']) actions.look({ kind: 'agent', name })();
  actions.look({ kind: 'agent', name: 'c' });
  await vi.advanceTimersByTimeAsync(400);
  expect(read.mock.calls).toEqual([[{ kind: 'agent', name: 'c' }]]);
  expect([store.getState().known.size, [...store.getState().failed]]).toEqual([0, ['agent c']]);
});

test('live, tests and approvals are reasons to ask; other drafts, labels and runs are named in the question', () => {
  const places = ['live (revision 3)', 'staging (revision 4)', 'main draft', 'draft try'];
  const known = uses({
    uses: [use({ places, tests: ['noon'], runs: 2 }), use({ isOwn: false, projectName: 'Other', runs: 9 })],
    ...{ grants: 2, earlierRuns: 3 },
  });
  expect(reasonsAbout(writer, known, 'main')).toEqual({
    reasons: [
      "live (revision 3) has agent 'writer', until a revision without it goes live.",
      needsWriter,
      "2 remembered approvals are about agent 'writer'.",
    ],
    copies: ['The same agent is in Other, which this does not change.'],
    notes: ["staging (revision 4), draft try keep agent 'writer'.", "5 runs of the last 30 days had agent 'writer'."],
  });
  const { reasons, notes } = reasonsAbout(writer, uses({ uses: [use({ places: ['draft try'], runs: 1 })] }), 'main');
  expect(reasons).toEqual([]);
  expect(notes).toEqual(["draft try keeps agent 'writer'.", "One run of the last 30 days had agent 'writer'."]);
});

test('copies in other projects are a reason to ask before a deletion, and are only named before other changes', async () => {
  const copy = use({ isOwn: false, projectName: 'Other' });
  let now = uses({ uses: [copy] });
  const { actions, apply, remove, seen, save, settle } = open(async () => now);
  const sentence = 'The same agent is in Other, which this does not change.';
  remove();
  await settle();
  expect(seen().asked).toEqual([sentence]);
  actions.answer(false);
  actions.guard('Rename writer', [writer], apply);
  expect(seen()).toEqual({ applied: 1, asked: undefined });
  now = uses({ uses: [copy, use({ tests: ['noon'] })] });
  save();
  actions.guard('Rename writer', [writer], apply);
  await settle();
  expect(seen().asked).toEqual([needsWriter, sentence]);
});

test('a long list of names is cut', () => {
  const tests = ['a', 'b', 'c', 'd', 'e', 'f'];
  expect(reasonsAbout(writer, uses({ uses: [use({ tests })] }), 'main').reasons).toEqual([
    "a, b, c, d and 2 more: tests that need agent 'writer'.",
  ]);
});

test('a long question is cut, and says so', async () => {
  const { remove, seen, settle } = open(async () => needed);
  remove(Array.from({ length: 30 }, (_, index) => ({ kind: 'agent', name: `a${index}` }) as const));
  await settle();
  expect(seen().asked?.slice(-2)).toEqual(['And 12 more uses.', '6 further parts were not looked into.']);
});

test('a part of this draft alone is used nowhere else', () => {
  expect(isUsedElsewhere(uses({ uses: [use({ agents: [] })] }), 'main')).toBe(false);
  expect(isUsedElsewhere(uses({ uses: [] }), 'main')).toBe(false);
  expect(isUsedElsewhere(uses({ uses: [use({ agents: [] })] }), 'try')).toBe(true);
  expect(isUsedElsewhere(uses(), 'main')).toBe(true);
});
