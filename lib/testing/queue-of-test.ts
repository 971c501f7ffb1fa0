import { randomUUID } from 'node:crypto';
import { DBOS, type DLogger } from '@dbos-inc/dbos-sdk';
import { afterAll, beforeAll } from 'vitest';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { openRunQueue } from '@/lib/jobs/enqueue';
import { applicationName, applicationVersion, queueName, workflowName } from '@/lib/jobs/queue';
import type { Store } from '@/lib/store/database';
import { findProject, insertProject } from '@/lib/store/projects';

export interface QueueOfTest {
  /** Stores a run and queues it. */
  enqueue(): Promise<RunId>;
  /** Called with the id of each run that DBOS starts. */
  onBegun: (id: string) => void;
}

/**
 * Runs DBOS in the process of the test, with a workflow that only reports its start. DBOS does not poll the queue during
 * the tests. A test file can have only one.
 */
export function queueOfTest(store: Store, logger: DLogger): QueueOfTest {
  const queue = openRunQueue(store);
  const test: QueueOfTest = {
    async enqueue() {
      const projectId = await insertProject(store, 'Test', folderOf({ 'a.md': 'a' }), { origin: 'api' });
      const { treeHash } = await findProject(store, projectId);
      const id = brandAs<RunId>(randomUUID());
      const correlationId = brandAs<CorrelationId>(randomUUID());
      const message = 'Go';
      await queue.enqueueRun({ id, projectId, treeHash, correlationId, agent: undefined, message, model: undefined });
      return id;
    },
    onBegun: () => undefined,
  };
  beforeAll(async () => {
    DBOS.setConfig({
      name: applicationName,
      systemDatabaseUrl: store.url,
      applicationVersion,
      executorID: 'living',
      logger,
    });
    DBOS.registerWorkflow(async (id: string) => test.onBegun(id), { name: workflowName });
    await DBOS.launch();
    await DBOS.registerQueue(queueName, { workerConcurrency: 2, minPollingIntervalMs: 3_600_000 });
  });
  afterAll(async () => {
    await DBOS.shutdown({ deregister: true });
  });
  return test;
}
