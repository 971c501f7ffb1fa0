import { afterAll, expect, test } from 'vitest';
import { brandAs, type EpochMs, type PendingId, type ProjectId, type RunId } from '@/lib/base/ids';
import type { PersonAnswer } from '@/lib/base/pending';
import { tellGrants } from '@/lib/store/end-items';
import { deleteGrant } from '@/lib/store/grants';
import { liveTextsChannel } from '@/lib/store/live-text-messages';
import { openNotifications } from '@/lib/store/notifications';
import { peopleChannel } from '@/lib/store/pending-messages';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { storedItem, storedItems } from '@/lib/testing/stored-item';
import { storedRun, taken } from '@/lib/testing/stored-run';
import { answerItems, expireOverdue, requestStop } from './end-items';
import { openPeople } from './people';
import { systemClock } from './system-clock';

const { url, store } = await testDatabase();
const news = openNotifications(url, peopleChannel, liveTextsChannel);
afterAll(() => news.close());
const approve: PersonAnswer = { decision: 'approve', by: 'ana', via: 'web' };
const log = { error: (...said: unknown[]) => expect.unreachable(String(said[1])) } as never;

async function opened(
  runId: RunId,
  options: { readonly hold?: number; readonly watched?: boolean; readonly stint?: number } = {},
) {
  const run = {
    ...(await taken(store, runId, 'worker')),
    ...(options.stint !== undefined && { stint: options.stint }),
  };
  const liveTexts = { isWatched: () => options.watched ?? false };
  const stop = new AbortController();
  const people = await openPeople({ store, clock: systemClock, log, news, liveTexts }, run, {
    holdSeconds: options.hold,
    stop,
  });
  return { people, stop };
}

const live = new AbortController().signal;
const grantFor = (runId: RunId, projectId: string, tool: string) => ({
  ...({ id: `${tool}-${runId}`, scope: 'run', tool, schemaHash: 'schema', by: 'ana', runId } as const),
  projectId: brandAs<ProjectId>(projectId),
});

test('an answer counts before the run waits, while it waits and at the same moment', async () => {
  const runId = await storedRun(store);
  const { people } = await opened(runId);
  const [before, during, now] = (await storedItems(store, runId, 3)) as [PendingId, PendingId, PendingId];
  await answerItems(store, [{ item: before, answer: { ...approve, note: 'before' } }]);
  const ends = [before, during].map((item) => people.answerOf(item, live));
  expect(await ends[0]).toEqual({ outcome: 'answered', answer: { ...approve, note: 'before' } });
  await answerItems(store, [{ item: during, answer: { ...approve, note: 'during' } }]);
  expect(await ends[1]).toMatchObject({ answer: { note: 'during' } });
  const [end] = await Promise.all([
    people.answerOf(now, live),
    answerItems(store, [{ item: now, answer: { ...approve, decision: 'edit', arguments: { to: 'eve' } } }]),
  ]);
  expect(end).toMatchObject({ answer: { decision: 'edit', arguments: { to: 'eve' } } });
  people.close();
});

test('a question whose time is over ends as expired in the run that waits', async () => {
  const runId = await storedRun(store);
  const { people } = await opened(runId);
  const limit = { at: brandAs<EpochMs>(Date.now() - 1), outcome: 'deny' } as const;
  const item = await storedItem(store, runId, { limit });
  const end = people.answerOf(item, live);
  await expireOverdue(store);
  expect(await end).toEqual({ outcome: 'expired' });
  people.close();
});

test('a stop withdraws the question of a run that waits, and aborts the run before it hears of it', async () => {
  const runId = await storedRun(store);
  const { people, stop } = await opened(runId);
  const item = await storedItem(store, runId);
  const end = people.answerOf(item, live);
  await requestStop(store, runId);
  expect(await end).toEqual({ outcome: 'withdrawn' });
  expect(stop.signal.aborted).toBe(true);
  people.close();
  const gone = new AbortController();
  const other = await opened(await storedRun(store));
  const waits = other.people.answerOf(await storedItem(store, runId), gone.signal);
  gone.abort();
  expect(await waits).toEqual({ outcome: 'withdrawn' });
  other.people.close();
});

test('a run sees approvals that are remembered with an answer before the answer, and no more once they are revoked', async () => {
  const runId = await storedRun(store);
  const { projectId } = await store.prisma.run.findUniqueOrThrow({ where: { id: runId } });
  const { people } = await opened(runId);
  expect(people.grants()).toEqual([]);
  const [first, second] = (await storedItems(store, runId, 2)) as [PendingId, PendingId];
  const end = people.answerOf(first, live);
  await answerItems(store, [{ item: first, answer: approve, grant: grantFor(runId, projectId, 'one') }]);
  await end;
  expect(people.grants()).toMatchObject([{ tool: 'one', scope: 'run' }]);
  await deleteGrant(store, `one-${runId}`, localActor);
  await tellGrants(store.pool, brandAs<ProjectId>(projectId));
  const next = people.answerOf(second, live);
  await answerItems(store, [{ item: second, answer: approve }]);
  await next;
  expect(people.grants()).toEqual([]);
  people.close();

  await answerItems(store, [
    { item: await storedItem(store, runId), answer: approve, grant: grantFor(runId, projectId, 'two') },
  ]);
  const again = await opened(runId);
  expect(again.people.grants()).toMatchObject([{ tool: 'two' }]);
  again.people.close();
});

test('a remembered approval does not undo the answer of a person that the log does not have yet', async () => {
  const runId = await storedRun(store);
  const [denied, open] = (await storedItems(store, runId, 2)) as [PendingId, PendingId];
  await answerItems(store, [{ item: denied, answer: { ...approve, decision: 'deny' } }]);
  const { people } = await opened(runId);
  const granted: PersonAnswer = { decision: 'approve', by: 'grant', via: 'run' };
  const ends = [denied, open].map((item) => people.answerOf(item, live));
  for (const item of [denied, open]) people.offer(item, granted);
  expect(await Promise.all(ends)).toMatchObject([{ answer: { decision: 'deny', by: 'ana' } }, { answer: granted }]);
  people.close();
});

test('a resumed run knows the answers that it was resumed for, and asks for the others', async () => {
  const runId = await storedRun(store);
  const [known, later] = (await storedItems(store, runId, 2)) as [PendingId, PendingId];
  await answerItems(store, [{ item: known, answer: approve }]);
  await store.prisma.run.update({ where: { id: runId }, data: { lastSeq: 5 } });
  const { people } = await opened(runId);
  await store.prisma.pendingItem.update({ where: { id: known }, data: { status: 'open', answer: null } });
  expect(await people.answerOf(known, live)).toEqual({ outcome: 'answered', answer: approve });
  const end = people.answerOf(later, live);
  await answerItems(store, [{ item: later, answer: { ...approve, note: 'later' } }]);
  expect(await end).toMatchObject({ answer: { note: 'later' } });
  people.close();
});

test('a run waits five seconds in its worker, a minute while it is watched, or as its project says', async () => {
  const runId = await storedRun(store);
  const held = async (options: Parameters<typeof opened>[1]) => {
    const { people } = await opened(runId, options);
    people.close();
    return people.holdMs();
  };
  expect(await held({})).toBe(5_000);
  expect(await held({ watched: true })).toBe(60_000);
  expect(await held({ hold: 90, watched: true })).toBe(90_000);
  expect(await held({ hold: 0, watched: true })).toBe(0);
  expect(await held({ hold: 0, stint: 2 })).toBe(300);
});
