import { expect, test } from 'vitest';
import type { RunId } from '@/lib/base/ids';
import { systemClock } from '@/lib/jobs/system-clock';
import { testDatabase } from '@/lib/testing/postgres';
import { questionOf } from '@/lib/testing/stored-item';
import { storedRun, taken } from '@/lib/testing/stored-run';
import { createEventWriter } from './event-writer';
import { deleteTarget, insertTarget, listTargets, storeEnvironmentTargets } from './notify-targets';
import { claimNotices, insertTest, listNotices, removeOldNotices, settleNotice } from './outbox';
import { findRun } from './runs';

const { store } = await testDatabase();
const url = 'https://hooks.example.org/a';
const target = (id: string, more: object = {}) => ({
  ...{
    id,
    kind: 'webhook' as const,
    address: `${url}/${id}`,
    secret: 'whsec_x',
    projectId: undefined,
    mayAnswer: false,
    groups: ['questions' as const],
  },
  ...more,
});

async function ask(runId: RunId, count = 1) {
  const { epoch, lastSeq } = await taken(store, runId, 'worker');
  const onLost = () => undefined;
  const writer = createEventWriter(store, runId, { startSeq: lastSeq, epoch, clock: systemClock, batchMs: 0, onLost });
  const questions = Array.from({ length: count }, () => questionOf(runId));
  for (const question of questions) writer.append({ kind: 'person.asked', ...question });
  await writer.flush();
  return { questions, writer };
}

const outbox = () => store.prisma.outbox.findMany({ orderBy: { createdAt: 'asc' } });
const clear = () => store.pool.query(`DELETE FROM "Outbox"; DELETE FROM "NotifyTarget"`);

test('a question is stored with a notice for each target of its project, and without targets there is none', async () => {
  const [runId, other] = [await storedRun(store), await storedRun(store)];
  await ask(other);
  expect(await outbox()).toEqual([]);
  const { projectId } = await findRun(store, runId);
  await insertTarget(store, target('all'));
  await insertTarget(store, target('mine', { projectId }));
  const { questions, writer } = await ask(runId);
  const [question] = questions;
  expect((await outbox()).map(({ target, kind, body }) => [target, kind, JSON.parse(body)]).toSorted()).toEqual([
    ['all', 'item.asked', { item: question?.item }],
    ['mine', 'item.asked', { item: question?.item }],
  ]);
  // Asked again in a later stint, and answered by a grant in the same batch: no further notice.
  if (question === undefined) throw new Error('Nothing was asked');
  const granted = questionOf(runId);
  writer.append({ kind: 'person.asked', ...question });
  writer.append({ kind: 'person.asked', ...granted });
  const { item, path, step } = granted;
  const answer = { decision: 'approve', by: 'grant', via: 'run' } as const;
  writer.append({ kind: 'person.answered', item, path, step, outcome: 'answered', answer });
  await writer.flush();
  expect(await outbox()).toHaveLength(2);
  await ask(other);
  expect((await outbox()).map((row) => row.target).toSorted()).toEqual(['all', 'all', 'mine']);
  await clear();
});

test('of several workers each takes its own notices, and a notice that nobody settled comes back with its id', async () => {
  await insertTarget(store, target('one'));
  await ask(await storedRun(store), 40);
  const claimed = (await Promise.all(Array.from({ length: 6 }, () => claimNotices(store, 10)))).flat();
  expect(claimed).toHaveLength(40);
  expect(new Set(claimed.map(({ id }) => id)).size).toBe(40);
  expect(await claimNotices(store, 10)).toEqual([]);
  const [first, ...others] = claimed;
  for (const notice of others) await settleNotice(store, notice, { state: 'sent' });
  await store.pool.query(`UPDATE "Outbox" SET "nextAt" = now() - interval '1 second' WHERE "nextAt" IS NOT NULL`);
  const again = await claimNotices(store, 10);
  expect(again.map(({ id, attempt }) => [id, attempt])).toEqual([[first?.id, 2]]);
  // The late end of the first attempt does not touch the second.
  if (first !== undefined) await settleNotice(store, first, { state: 'given up', error: 'late' });
  const [row] = await store.prisma.outbox.findMany({ where: { id: first?.id } });
  expect(row).toMatchObject({ attempts: 2, error: null, sentAt: null, nextAt: expect.any(Date) });
  await clear();
});

test('a target that is removed takes its notices along, and never fails what a run writes', async () => {
  await insertTarget(store, target('gone'));
  expect(await insertTarget(store, target('twin', { address: `${url}/gone` }))).toBe(false);
  expect(await insertTest(store, 'gone')).toBe(true);
  expect(await insertTest(store, 'missing')).toBe(false);
  expect((await listNotices(store, 3)).map(({ target, kind }) => [target, kind])).toEqual([['gone', 'test']]);
  expect(await deleteTarget(store, 'gone')).toBe(true);
  expect(await deleteTarget(store, 'gone')).toBe(false);
  expect(await claimNotices(store, 10)).toEqual([]);
  await removeOldNotices(store);
  expect(await outbox()).toEqual([]);
});

test('the targets of the environment are those that it names now, whoever starts', async () => {
  const mail = { id: 'environment-mail', kind: 'mail', address: 'ana@example.org', mayAnswer: true } as const;
  const hook = { id: 'environment-webhook', kind: 'webhook', address: '', mayAnswer: false } as const;
  await insertTarget(store, target('kept'));
  await Promise.all([storeEnvironmentTargets(store, [mail, hook]), storeEnvironmentTargets(store, [mail, hook])]);
  expect((await listTargets(store, 'all')).map(({ id, source }) => [id, source]).toSorted()).toEqual([
    ['environment-mail', 'environment'],
    ['environment-webhook', 'environment'],
    ['kept', 'settings'],
  ]);
  await storeEnvironmentTargets(store, [{ ...mail, mayAnswer: false }]);
  expect((await listTargets(store, 'all')).map(({ id, mayAnswer }) => [id, mayAnswer]).toSorted()).toEqual([
    ['environment-mail', false],
    ['kept', false],
  ]);
  expect(await deleteTarget(store, 'environment-mail')).toBe(false);
  await clear();
});
