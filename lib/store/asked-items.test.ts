import { expect, test } from 'vitest';
import { brandAs, type EpochMs, type RunId } from '@/lib/base/ids';
import type { PendingQuestion, PersonAnswer } from '@/lib/base/pending';
import { systemClock } from '@/lib/jobs/system-clock';
import { testDatabase } from '@/lib/testing/postgres';
import { questionOf, storedItem } from '@/lib/testing/stored-item';
import { finished, storedRun, taken } from '@/lib/testing/stored-run';
import { createEventWriter } from './event-writer';
import { readAllEvents, runEventsChannel } from './events';
import { openNotifications } from './notifications';
import { findItems, readItems } from './pending-items';
import { pendingKey } from './pending-messages';

const { url, store } = await testDatabase();
const answer: PersonAnswer = { decision: 'approve', by: 'policy', via: 'run' };
const asked = (question: PendingQuestion) => ({ kind: 'person.asked', ...question }) as const;
const ended = ({ item, path, step }: PendingQuestion, outcome: 'answered' | 'withdrawn') =>
  ({ kind: 'person.answered', item, path, step, outcome, ...(outcome === 'answered' && { answer }) }) as const;

async function writerOf(runId: RunId, more: { readonly isTest?: boolean } = {}) {
  const { epoch, lastSeq } = await taken(store, runId, 'worker');
  const onLost = () => undefined;
  return createEventWriter(store, runId, { startSeq: lastSeq, epoch, clock: systemClock, batchMs: 0, onLost, ...more });
}

async function statusesOf(runId: RunId) {
  const items = await findItems(store, { scope: 'all', run: runId }, { after: undefined, limit: 100 });
  return new Map(items.map(({ id, status }) => [id, status]));
}

test('a question of a test reaches nobody, because a recording answers it', async () => {
  const runId = await storedRun(store);
  const writer = await writerOf(runId, { isTest: true });
  const question = questionOf(runId, {});
  writer.append(asked(question));
  await writer.flush();
  writer.append(ended(question, 'answered'));
  await writer.flush();
  expect(await statusesOf(runId)).toEqual(new Map());
  expect(await readAllEvents(store, runId)).toMatchObject([{ kind: 'person.asked' }, { kind: 'person.answered' }]);
});

test('a question is a row as soon as its event is stored, and asking again in a later stint changes nothing', async () => {
  const runId = await storedRun(store);
  const news = openNotifications(url, runEventsChannel);
  const heard: string[] = [];
  await new Promise<void>((connected) =>
    news.subscribe(pendingKey, (text) => (text === undefined ? connected() : heard.push(text))),
  );
  const writer = await writerOf(runId);
  const limit = { at: brandAs<EpochMs>(Date.now() + 60_000), outcome: 'deny' } as const;
  const question = questionOf(runId, { limit, sentence: 'With \u0000 in it' });
  writer.append(asked(question));
  await writer.flush();
  await expect.poll(() => heard.some((text) => text.endsWith(runId))).toBe(true);
  await news.close();
  const [item] = await readItems(store, [question.item], 'all');
  expect(item).toMatchObject({
    ...{ status: 'open', runId, kind: 'approval', tool: 'mail__send', sentence: 'With \u0000 in it', question },
    limitAt: new Date(Math.floor(limit.at)),
  });
  const [event] = await readAllEvents(store, runId);
  expect(item?.createdAt.getTime()).toBe(Math.round(event?.at ?? 0));
  await store.prisma.pendingItem.update({
    where: { id: question.item },
    data: { status: 'answered', answer: JSON.stringify(answer) },
  });
  const next = await writerOf(runId);
  next.append(asked(question));
  await next.flush();
  expect(await statusesOf(runId)).toEqual(new Map([[question.item, 'answered']]));
});

test('the end of a question that the run records ends its row, in the same batch or later', async () => {
  const runId = await storedRun(store);
  const [granted, later, answered] = [questionOf(runId), questionOf(runId), questionOf(runId)];
  const writer = await writerOf(runId);
  for (const event of [asked(granted), asked(later), asked(answered), ended(granted, 'answered')]) writer.append(event);
  await writer.flush();
  expect([...(await statusesOf(runId)).values()].toSorted()).toEqual(['answered', 'open', 'open']);
  const person = JSON.stringify({ decision: 'deny', by: 'ana', via: 'web' });
  await store.prisma.pendingItem.update({ where: { id: answered.item }, data: { status: 'answered', answer: person } });
  for (const event of [ended(later, 'withdrawn'), ended(answered, 'withdrawn')]) writer.append(event);
  await writer.flush();
  const rows = await store.prisma.pendingItem.findMany({ where: { runId } });
  expect(new Map(rows.map(({ id, status, recorded, answer: given }) => [id, { status, recorded, given }]))).toEqual(
    new Map([
      [granted.item, { status: 'answered', recorded: true, given: JSON.stringify(answer) }],
      [later.item, { status: 'withdrawn', recorded: true, given: null }],
      // What a person answered stays to be seen, although the run did not need it.
      [answered.item, { status: 'answered', recorded: true, given: person }],
    ]),
  );
});

test('the end of a run withdraws what is still open in it, and nothing of other runs', async () => {
  const [runId, other] = [await storedRun(store), await storedRun(store)];
  const kept = await storedItem(store, other);
  const early = await storedItem(store, runId);
  const last = questionOf(runId);
  const writer = await writerOf(runId);
  writer.append(asked(last));
  writer.append(finished);
  await writer.flush();
  expect(await statusesOf(runId)).toEqual(
    new Map([
      [last.item, 'withdrawn'],
      [early, 'withdrawn'],
    ]),
  );
  expect(await statusesOf(other)).toEqual(new Map([[kept, 'open']]));
});

test('a run is suspended by the statement that stores the event, which is no failed attempt', async () => {
  const runId = await storedRun(store);
  await taken(store, runId, 'crashed');
  const writer = await writerOf(runId);
  expect(await store.prisma.run.findUnique({ where: { id: runId } })).toMatchObject({ status: 'running', attempts: 2 });
  const question = questionOf(runId);
  writer.append(asked(question));
  writer.append({ kind: 'run.suspended', open: 1, activeMs: {} });
  await writer.flush();
  expect(await store.prisma.run.findUnique({ where: { id: runId } })).toMatchObject({
    ...{ status: 'suspended', attempts: 0, lastSeq: 2, finishedAt: null },
  });
  expect(await statusesOf(runId)).toEqual(new Map([[question.item, 'open']]));
});

test('a remembered approval counts each question that it answered once, whatever is stored again', async () => {
  const runId = await storedRun(store);
  const { projectId } = await store.prisma.run.findUniqueOrThrow({ where: { id: runId } });
  const ids = ['grant-a', 'grant-b'];
  for (const id of ids) {
    const given = { scope: 'project', runId, correlationId: 'c', tool: 'mail__send', schemaHash: 's', by: 'ana' };
    await store.prisma.grant.create({ data: { id, projectId, ...given } });
  }
  const writer = await writerOf(runId);
  const granted = (grant: string) => {
    const question = questionOf(runId);
    writer.append(asked(question));
    const by = { decision: 'approve', by: 'grant', via: 'run', grant } as const;
    writer.append({ ...ended(question, 'answered'), answer: by });
    return question;
  };
  const [first] = [granted('grant-a'), granted('grant-a'), granted('grant-b'), granted('grant-gone')];
  await writer.flush();
  writer.append(asked(first));
  writer.append({
    ...ended(first, 'answered'),
    answer: { decision: 'approve', by: 'grant', via: 'run', grant: 'grant-a' },
  });
  await writer.flush();
  const grants = await store.prisma.grant.findMany({ where: { projectId }, orderBy: { id: 'asc' } });
  expect(grants.map(({ uses, lastUsedAt }) => [uses, lastUsedAt !== null])).toEqual([
    [2, true],
    [1, true],
  ]);
  expect([...(await statusesOf(runId)).values()]).toEqual(['answered', 'answered', 'answered', 'answered']);
});
