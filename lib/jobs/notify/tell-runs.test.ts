import { afterEach, expect, test, vi } from 'vitest';
import { readNotices } from '@/lib/server/person-notices';
import { storeTellLine } from '@/lib/store/person-notices';
import { localActor } from '@/lib/testing/local-actor';
import { noticeShop } from '@/lib/testing/notice-shop';
import { testDatabase } from '@/lib/testing/postgres';
import { storedTrigger } from '@/lib/testing/stored-trigger';
import { tellRecorded } from './tell';

const { url, store } = await testDatabase();
vi.stubEnv('DATABASE_URL', url);
const { project, team, endedRun, wordsOf, clear } = noticeShop(store);

afterEach(clear);

test('a failed run sends a notice to the person who started it, and a run above the line to the admins too', async () => {
  const id = await project();
  const { ada, ed, rae } = await team(id);
  await storeTellLine(store, id, { usd: 1, seconds: undefined });
  const failed = await endedRun(id, { by: 'ed@x.org', status: 'failed', usd: 0.1, seconds: 9 });
  await endedRun(id, { by: 'ed@x.org', status: 'completed', usd: 2.5, seconds: 900 });
  await endedRun(id, { by: 'ed@x.org', status: 'completed', usd: 1, seconds: 900 });
  await tellRecorded(store);
  const over = 'A run of lead in Shop cost $2.50, more than $1';
  expect((await wordsOf(ed)).toSorted()).toEqual([over, 'A run of lead in Shop failed']);
  expect(await wordsOf(ada)).toEqual([over]);
  expect(await wordsOf(rae)).toEqual([]);
  expect((await readNotices(ed, { after: undefined, limit: 9 })).notices.map(({ href }) => href)).toContain(
    `/r/${failed}`,
  );
});

test('a run of a trigger sends notices to the maker of the trigger and to the admins', async () => {
  const id = await project();
  const { ada, ed, rae } = await team(id);
  await storeTellLine(store, id, { usd: 1, seconds: undefined });
  const trigger = await storedTrigger(store, id, { name: 'Nightly', by: ed.by });
  const ofTrigger = { by: 'trigger:nightly', trigger, seconds: 1 };
  await endedRun(id, { ...ofTrigger, status: 'failed', usd: 0 });
  await endedRun(id, { ...ofTrigger, status: 'completed', usd: 2 });
  await tellRecorded(store);
  const words = [
    'A run of lead in Shop, which the trigger nightly started, cost $2.00, more than $1',
    'A run of lead in Shop, which the trigger nightly started, failed',
  ];
  expect([(await wordsOf(ed)).toSorted(), (await wordsOf(ada)).toSorted()]).toEqual([words, words]);
  expect(await wordsOf(rae)).toEqual([]);
});

test('a run that a person started from a trigger sends a notice to that person, and a run of a deleted trigger to the admins', async () => {
  const id = await project();
  const { ada, ed, rae } = await team(id);
  const trigger = await storedTrigger(store, id, { name: 'nightly', by: ed.by });
  await endedRun(id, { by: rae.by, trigger, status: 'failed', usd: 0, seconds: 1 });
  await store.prisma.trigger.delete({ where: { id: trigger } });
  await endedRun(id, { by: 'trigger:nightly', trigger, status: 'failed', usd: 0, seconds: 1 });
  await tellRecorded(store);
  expect(await wordsOf(rae)).toEqual(['A run of lead in Shop failed']);
  expect(await wordsOf(ada)).toEqual(['A run of lead in Shop, which the trigger nightly started, failed']);
  expect(await wordsOf(ed)).toEqual([]);
});

test('without accounts the one person gets notices of runs of triggers', async () => {
  const id = await project();
  const trigger = await storedTrigger(store, id, { name: 'nightly', by: 'local' });
  await endedRun(id, { by: 'trigger:nightly', trigger, status: 'failed', usd: 0, seconds: 1 });
  await tellRecorded(store);
  expect(await wordsOf(localActor)).toEqual(['A run of lead in Shop, which the trigger nightly started, failed']);
});
