import { randomUUID } from 'node:crypto';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { openNotifications } from '@/lib/store/notifications';
import { findProject, insertProject } from '@/lib/store/projects';
import { testDatabase } from '@/lib/testing/postgres';
import { openRunQueue } from './enqueue';
import { applicationName, applicationVersion, queuedRunChannel, queueName, workflowName } from './queue';
import { queueLogger } from './queue-log';
import { lookIntoQueue, openQueueWake } from './queue-wake';
import { systemClock } from './system-clock';

const { url, store } = await testDatabase();
const queue = openRunQueue(store);
const lines: unknown[] = [];
const log = queueLogger({
  warn: (...line: unknown[]) => lines.push(line),
  error: (...line: unknown[]) => lines.push(line),
});
let begun: (id: string) => void = () => undefined;

beforeAll(async () => {
  DBOS.setConfig({
    name: applicationName,
    systemDatabaseUrl: url,
    applicationVersion,
    executorID: 'test',
    logger: log,
  });
  DBOS.registerWorkflow(async (id: string) => begun(id), { name: workflowName });
  await DBOS.launch();
  // DBOS itself does not look before the tests are over.
  await DBOS.registerQueue(queueName, { workerConcurrency: 2, minPollingIntervalMs: 3_600_000 });
});
afterAll(async () => {
  await DBOS.shutdown();
});

async function enqueue(): Promise<RunId> {
  const projectId = await insertProject(store, 'Test', folderOf({ 'a.md': 'a' }), { origin: 'api' });
  const { treeHash } = await findProject(store, projectId);
  const id = brandAs<RunId>(randomUUID());
  const correlationId = brandAs<CorrelationId>(randomUUID());
  await queue.enqueueRun({ id, projectId, treeHash, correlationId, agent: undefined, message: 'Go', model: undefined });
  return id;
}

test('DBOS looks into the queue when it is asked to', async () => {
  const first = new Promise<string>((resolve) => {
    begun = resolve;
  });
  const id = await enqueue();
  // False, or an error, says that this version of DBOS has no such method: find how it is woken now.
  expect(await lookIntoQueue(queueName)).toBe(true);
  expect(await first).toBe(id);
  await DBOS.getResult(id);
  expect(lines).toEqual([]);
});

test('a run begins because its start was announced, before DBOS looks by itself', async () => {
  const ids: string[] = [];
  const all = new Promise<void>((resolve) => {
    begun = (id) => {
      ids.push(id);
      if (ids.length === 3) resolve();
    };
  });
  const wake = openQueueWake({ queueName, clock: systemClock, hasRoom: () => true });
  const announced = openNotifications(url, queuedRunChannel);
  announced.subscribe(queuedRunChannel, wake.wake);
  const asked = [await enqueue(), await enqueue(), await enqueue()];
  await all;
  expect(ids.toSorted()).toEqual(asked.toSorted());
  wake.close();
  await announced.close();
});

test('a worker without room looks for nothing', async () => {
  const looked: string[] = [];
  begun = (id) => looked.push(id);
  const asked = new Promise<void>((resolve) => {
    const wake = openQueueWake({
      queueName,
      clock: systemClock,
      hasRoom() {
        resolve();
        wake.close();
        return false;
      },
    });
    wake.wake();
  });
  const id = await enqueue();
  await asked;
  expect((await DBOS.getWorkflowStatus(id))?.status).toBe('ENQUEUED');
  expect(looked).toEqual([]);
});
