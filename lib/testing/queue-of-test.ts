import { randomUUID } from 'node:crypto';
import { DBOS, type DLogger } from '@dbos-inc/dbos-sdk';
import { afterAll, beforeAll } from 'vitest';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { openRunQueue } from '@/lib/jobs/enqueue';
import { applicationName, applicationVersion, queueName, workflowName } from '@/lib/jobs/queue';
import { sharesOf } from '@/lib/jobs/queue-shares';
import type { Store } from '@/lib/store/database';
import { findProject, insertProject } from '@/lib/store/projects';

export interface QueueOfTest {
  /** Stores a run of a new project and queues it. */
  enqueue(startedBy?: string): Promise<RunId>;
  /** Called with the id of each run that DBOS starts. The run ends when it resolves. */
  onBegun: (id: string) => void | Promise<void>;
}

/**
 * Runs DBOS in the process of the test, with a workflow that only reports its start. DBOS does not poll the queue during
 * the tests. A test file can have only one.
 */
export function queueOfTest(store: Store, logger: DLogger): QueueOfTest {
  const queue = openRunQueue(store);
  const test: QueueOfTest = {
    async enqueue(startedBy) {
      const projectId = await insertProject(store, 'Test', folderOf({ 'a.md': 'a' }), { origin: 'api' });
      const { treeHash } = await findProject(store, projectId);
      const id = brandAs<RunId>(randomUUID());
      const correlationId = brandAs<CorrelationId>(randomUUID());
      const more = { agent: undefined, message: 'Go', model: undefined, startedBy };
      await queue.enqueueRun({ id, projectId, treeHash, correlationId, ...more });
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
    await DBOS.registerQueue(queueName, { ...sharesOf(2), minPollingIntervalMs: 3_600_000 });
  });
  afterAll(async () => {
    await DBOS.shutdown({ deregister: true });
  });
  return test;
}
