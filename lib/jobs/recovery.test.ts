import { DBOS } from '@dbos-inc/dbos-sdk';
import { expect, test } from 'vitest';
import { testDatabase } from '@/lib/testing/postgres';
import { queueOfTest } from '@/lib/testing/queue-of-test';
import { storedRun } from '@/lib/testing/stored-run';
import { queueName } from './queue';
import { queueLogger } from './queue-log';
import { lookIntoQueue } from './queue-wake';
import { findStrandedRuns, recoverDeadWorkers } from './recovery';

const { store } = await testDatabase();
const keep = () => undefined;
const queue = queueOfTest(store, queueLogger({ warn: keep, error: keep }));

/** As if a worker of that name had begun it and were gone. */
async function begunBy(worker: string) {
  const id = await queue.enqueue();
  await store.pool.query(
    `UPDATE dbos.workflow_status SET status = 'PENDING', executor_id = $2, owner_xid = 'gone' WHERE workflow_uuid = $1`,
    [id, worker],
  );
  return id;
}

async function stateOf(id: string) {
  const found = await DBOS.getWorkflowStatus(id);
  return [found?.status, found?.queueName];
}

const asked: (readonly string[])[] = [];
const liveness = {
  async findDead(workers: readonly string[]) {
    asked.push(workers.toSorted());
    return workers.filter((worker) => worker.startsWith('dead'));
  },
};

test('runs of dead workers go back into the queue, those of living ones are left alone', async () => {
  const [one, two, other] = [await begunBy('dead-1'), await begunBy('dead-2'), await begunBy('busy')];
  expect(await recoverDeadWorkers(store, liveness)).toEqual(['dead-1', 'dead-2']);
  expect(asked).toEqual([['busy', 'dead-1', 'dead-2']]);
  expect(await Promise.all([one, two, other].map(stateOf))).toEqual([
    ['ENQUEUED', queueName],
    ['ENQUEUED', queueName],
    ['PENDING', queueName],
  ]);
  const begun: string[] = [];
  const both = new Promise<void>((resolve) => {
    queue.onBegun = (id) => {
      begun.push(id);
      if (begun.length === 2) resolve();
    };
  });
  await lookIntoQueue(queueName);
  await both;
  expect(begun.toSorted()).toEqual([one, two].toSorted());
  await Promise.all([one, two].map((id) => DBOS.getResult(id)));
  expect(await recoverDeadWorkers(store, liveness)).toEqual([]);
});

test('a run that was taken over since its worker was found dead stays where it is', async () => {
  const id = await begunBy('dead-3');
  const late = {
    async findDead(workers: readonly string[]) {
      // Another worker was faster.
      await store.pool.query(`UPDATE dbos.workflow_status SET executor_id = 'busy' WHERE workflow_uuid = $1`, [id]);
      return workers.filter((worker) => worker === 'dead-3');
    },
  };
  expect(await recoverDeadWorkers(store, late)).toEqual(['dead-3']);
  expect(await stateOf(id)).toEqual(['PENDING', queueName]);
});

test('runs whose workflow has ended or was lost are found, waiting and new ones are not', async () => {
  const lost = await storedRun(store);
  const ended = await begunBy('busy');
  const waiting = await queue.enqueue();
  const fresh = await storedRun(store);
  const old = [lost, ended, waiting];
  await store.pool.query(`UPDATE "Run" SET "createdAt" = now() - interval '1 hour' WHERE id = ANY($1)`, [old]);
  await DBOS.cancelWorkflow(ended);
  const found = await findStrandedRuns(store);
  expect(found.toSorted()).toEqual([lost, ended].toSorted());
  expect(found).not.toContain(fresh);
});
