import { expect, test } from 'vitest';
import { brandAs, type EpochMs, type ProjectId, type RunId } from '@/lib/base/ids';
import type { PersonAnswer } from '@/lib/base/pending';
import { openStore } from '@/lib/store/database';
import type { NewGrant } from '@/lib/store/end-items';
import { grantsOfRun } from '@/lib/store/grants';
import { readItems } from '@/lib/store/pending-items';
import { takeRun } from '@/lib/store/take-run';
import { testDatabase } from '@/lib/testing/postgres';
import { storedItem, storedItems } from '@/lib/testing/stored-item';
import { storedRun } from '@/lib/testing/stored-run';
import { answerItems, expireOverdue, requestStop } from './end-items';
import { openRunQueue } from './enqueue';
import { findStrandedRuns } from './recovery';
import { resumeAnswered } from './resume-runs';

const { url, store } = await testDatabase();
const queue = openRunQueue(store);
const approve: PersonAnswer = { decision: 'approve', by: 'ana', via: 'web' };
const deny: PersonAnswer = { decision: 'deny', by: 'ben', via: 'api', note: 'No.' };
const past = { at: brandAs<EpochMs>(Date.now() - 1_000), outcome: 'deny' as const };

/** A run that was executed and waits for people. */
async function suspendedRun(): Promise<RunId> {
  const runId = await storedRun(store);
  await takeRun(store, runId, 'worker');
  await store.prisma.run.update({ where: { id: runId }, data: { status: 'suspended', lastSeq: 5 } });
  return runId;
}

async function stateOf(runId: RunId) {
  const { status, stint, workflowId } = await store.prisma.run.findUniqueOrThrow({ where: { id: runId } });
  return { status, stint, workflowId };
}

async function workflowsOf(runId: RunId): Promise<readonly string[]> {
  const { rows } = await store.pool.query<{ workflow_uuid: string }>(
    `SELECT workflow_uuid FROM dbos.workflow_status WHERE workflow_uuid LIKE $1 AND status = 'ENQUEUED' ORDER BY 1`,
    [`${runId}%`],
  );
  return rows.map((row) => row.workflow_uuid);
}

test('of many answers to one question at once the first is kept, and the run goes on once', async () => {
  const runId = await suspendedRun();
  const item = await storedItem(store, runId);
  const stored = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      answerItems(store, [{ item, answer: { ...approve, by: `person ${index}` } }]),
    ),
  );
  expect(stored.filter((each) => each.has(item))).toHaveLength(1);
  const winner = stored.findIndex((each) => each.has(item));
  expect(await readItems(store, [item], 'all')).toMatchObject([
    { status: 'answered', answer: { by: `person ${winner}` }, endedAt: expect.any(Date) },
  ]);
  expect(await stateOf(runId)).toEqual({ status: 'queued', stint: 1, workflowId: `${runId}/1` });
  expect(await workflowsOf(runId)).toEqual([`${runId}/1`]);
});

test('answers in any order, alone and in batches, reach their questions and make one stint while the run waits', async () => {
  const runId = await suspendedRun();
  const items = await storedItems(store, runId, 200);
  const answers = items.map((item, index) => ({ item, answer: { ...approve, note: `answer ${index}` } })).toReversed();
  await Promise.all([answerItems(store, answers.slice(0, 1)), answerItems(store, answers.slice(1, 150))]);
  await answerItems(store, answers.slice(150));
  const kept = new Map((await readItems(store, items, 'all')).map(({ id, answer }) => [id, answer?.note]));
  expect(items.map((item) => kept.get(item))).toEqual(items.map((_, index) => `answer ${index}`));
  expect(await stateOf(runId)).toMatchObject({ status: 'queued', stint: 1 });
  expect(await workflowsOf(runId)).toEqual([`${runId}/1`]);
});

test('an answer, its remembered approval and the next stint are stored together or not at all', async () => {
  const runId = await suspendedRun();
  const item = await storedItem(store, runId);
  const { projectId } = await store.prisma.run.findUniqueOrThrow({ where: { id: runId } });
  const grant = {
    id: `grant-${runId}`,
    scope: 'run' as const,
    tool: 'mail__send',
    schemaHash: 'schema',
    by: 'ana',
    projectId: brandAs<ProjectId>(projectId),
    runId,
  };
  await store.pool.query(`ALTER FUNCTION dbos.enqueue_workflow RENAME TO enqueue_workflow_away`);
  try {
    await expect(answerItems(store, [{ item, answer: approve, grant }])).rejects.toThrow('enqueue_workflow');
  } finally {
    await store.pool.query(`ALTER FUNCTION dbos.enqueue_workflow_away RENAME TO enqueue_workflow`);
  }
  expect(await readItems(store, [item], 'all')).toMatchObject([{ status: 'open', answer: undefined }]);
  expect(await grantsOfRun(store, runId)).toEqual([]);
  expect(await stateOf(runId)).toMatchObject({ status: 'suspended', stint: 0 });
  await answerItems(store, [{ item, answer: approve, grant }]);
  expect(await grantsOfRun(store, runId)).toMatchObject([{ scope: 'run', tool: 'mail__send', by: 'ana' }]);
  expect(await stateOf(runId)).toMatchObject({ status: 'queued', stint: 1 });
});

test('a question expires at its time limit, and of an answer and the limit at once exactly one counts', async () => {
  const runId = await suspendedRun();
  const late = await storedItem(store, runId, { limit: past });
  const [stored] = await Promise.all([answerItems(store, [{ item: late, answer: approve }]), expireOverdue(store)]);
  expect(stored.has(late)).toBe(false);
  expect(await readItems(store, [late], 'all')).toMatchObject([{ status: 'expired', answer: undefined }]);
  expect(await stateOf(runId)).toMatchObject({ status: 'queued', stint: 1 });
  expect(await expireOverdue(store)).toBe(false);
});

test('a suspended run that is stopped withdraws its questions, and a worker ends it', async () => {
  const runId = await suspendedRun();
  const [answered, open] = [await storedItem(store, runId), await storedItem(store, runId)];
  await store.prisma.pendingItem.update({ where: { id: answered }, data: { status: 'answered', recorded: true } });
  await queue.cancelRun(runId);
  await queue.cancelRun(runId);
  expect(await stateOf(runId)).toEqual({ status: 'queued', stint: 1, workflowId: `${runId}/1` });
  const items = new Map((await readItems(store, [answered, open], 'all')).map(({ id, status }) => [id, status]));
  expect([items.get(answered), items.get(open)]).toEqual(['answered', 'withdrawn']);
  expect((await answerItems(store, [{ item: open, answer: deny }])).size).toBe(0);
  expect(await takeRun(store, runId, 'next', { workflowId: `${runId}/1` })).toMatchObject({
    cancelRequested: true,
    stint: 1,
  });
});

test('of an answer and a stop at the same moment exactly one ends the question', async () => {
  for (let round = 0; round < 10; round += 1) {
    const runId = await suspendedRun();
    const item = await storedItem(store, runId);
    const [stored] = await Promise.all([answerItems(store, [{ item, answer: approve }]), requestStop(store, runId)]);
    const [now] = await readItems(store, [item], 'all');
    expect(now?.status).toBe(stored.has(item) ? 'answered' : 'withdrawn');
    expect(await stateOf(runId)).toMatchObject({ status: 'queued', stint: 1 });
    expect(await workflowsOf(runId)).toEqual([`${runId}/1`]);
  }
});

test('of two answers, the time limit and a stop in the same millisecond one ends the question, and the run goes on once', async () => {
  for (let round = 0; round < 12; round += 1) {
    const runId = await suspendedRun();
    const at = brandAs<EpochMs>(Date.now() + (round % 6));
    const item = await storedItem(store, runId, { limit: { at, outcome: 'deny' } });
    const [first, second] = await Promise.all([
      answerItems(store, [{ item, answer: approve }]),
      answerItems(store, [{ item, answer: deny }]),
      expireOverdue(store),
      ...(round % 2 === 0 ? [requestStop(store, runId)] : []),
    ]);
    await expect.poll(() => expireOverdue(store)).toBe(false);
    const [now] = await readItems(store, [item], 'all');
    const answers = [...(first.has(item) ? [approve] : []), ...(second.has(item) ? [deny] : [])];
    expect(answers.length).toBeLessThanOrEqual(1);
    expect(now?.answer).toEqual(answers[0]);
    if (answers.length > 0) expect(now?.status).toBe('answered');
    if (now?.status !== 'open') expect(await workflowsOf(runId)).toEqual([`${runId}/1`]);
  }
});

test('an answer to a question whose project is deleted at the same moment is stored before, or finds nothing', async () => {
  for (let round = 0; round < 12; round += 1) {
    const runId = await suspendedRun();
    const item = await storedItem(store, runId);
    const { projectId } = await store.prisma.run.findUniqueOrThrow({ where: { id: runId } });
    const grant: NewGrant = {
      ...{ id: `grant-${runId}`, scope: 'run', tool: 'mail__send', schemaHash: 'schema', by: 'ana', runId },
      projectId: brandAs<ProjectId>(projectId),
    };
    await Promise.all([
      answerItems(store, [{ item, answer: approve, grant }]),
      store.prisma.project.delete({ where: { id: projectId } }),
    ]);
    expect(await readItems(store, [item], 'all')).toEqual([]);
    expect(await store.prisma.grant.count({ where: { projectId } })).toBe(0);
  }
});

test('an answer that came while the run was being suspended resumes it', async () => {
  const runId = await storedRun(store);
  await takeRun(store, runId, 'worker');
  const item = await storedItem(store, runId);
  await answerItems(store, [{ item, answer: approve }]);
  expect(await stateOf(runId)).toEqual({ status: 'running', stint: 0, workflowId: null });
  await store.prisma.run.update({ where: { id: runId }, data: { status: 'suspended' } });
  expect(await resumeAnswered(store)).toEqual([runId]);
  expect(await resumeAnswered(store)).toEqual([]);
  expect(await stateOf(runId)).toEqual({ status: 'queued', stint: 1, workflowId: `${runId}/1` });
});

test('neither a suspended run nor one in a later stint is taken by an earlier workflow, or counts as stranded', async () => {
  const runId = await suspendedRun();
  const item = await storedItem(store, runId);
  await store.pool.query(`UPDATE "Run" SET "createdAt" = now() - interval '1 hour' WHERE id = $1`, [runId]);
  expect(await takeRun(store, runId, 'late', { workflowId: runId })).toBeUndefined();
  expect(await findStrandedRuns(store)).not.toContain(runId);
  await answerItems(store, [{ item, answer: approve }]);
  expect(await takeRun(store, runId, 'late', { workflowId: runId })).toBeUndefined();
  expect(await findStrandedRuns(store)).not.toContain(runId);
  expect(await takeRun(store, runId, 'next', { workflowId: `${runId}/1` })).toMatchObject({ stint: 1, lastSeq: 5 });
  await store.pool.query(`UPDATE dbos.workflow_status SET status = 'SUCCESS' WHERE workflow_uuid = $1`, [`${runId}/1`]);
  expect(await findStrandedRuns(store)).toContain(runId);
});

test('an answer to a closed item does not put a run that waits for another one back into the queue', async () => {
  const runId = await suspendedRun();
  const [first] = [await storedItem(store, runId), await storedItem(store, runId)];
  await store.prisma.pendingItem.update({ where: { id: first }, data: { status: 'answered', recorded: true } });
  expect((await answerItems(store, [{ item: first, answer: deny }])).size).toBe(0);
  expect(await stateOf(runId)).toMatchObject({ status: 'suspended', stint: 0 });
});

test('an answer takes four round trips to the database, and a batch of 200 for three runs takes no more', async () => {
  const own = openStore(url);
  let statements = 0;
  own.pool.on('connect', (client) => {
    const query = client.query.bind(client);
    client.query = ((...args: readonly unknown[]) => {
      statements += 1;
      return Reflect.apply(query, client, args);
    }) as typeof client.query;
  });
  const runs = await Promise.all([suspendedRun(), suspendedRun(), suspendedRun()]);
  const items = (await Promise.all(runs.map((runId) => storedItems(store, runId, 67)))).flat();
  const [first, ...others] = items.map((item) => ({ item, answer: approve }));
  await answerItems(own, first === undefined ? [] : [first]);
  expect(statements).toBe(4);
  statements = 0;
  expect((await answerItems(own, others)).size).toBe(200);
  expect(statements).toBe(4);
  await own.close();
  for (const runId of runs) expect(await workflowsOf(runId)).toEqual([`${runId}/1`]);
});
