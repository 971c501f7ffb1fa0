import { randomUUID } from 'node:crypto';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { readFolder } from '@/lib/cards/project/read-folder';
import { openRunQueue } from '@/lib/jobs/enqueue';
import type { Store } from '@/lib/store/database';
import { findProject, insertProject } from '@/lib/store/projects';
import { claimOnce } from '@/lib/store/settings';
import { sampleTrust } from './sample-trust';
import { readSample } from './samples';

/**
 * Creates the sample project and queues one run of it, once per database, so that a new installation has a timeline to look
 * at. A deleted sample is not created again.
 */
export async function seedSample(store: Store): Promise<void> {
  const isFirstStart = await claimOnce(store, 'sample-seeded');
  if (!isFirstStart || (await store.prisma.project.count()) > 0) return;
  const { title, folder } = await readSample('pmo');
  const trust = sampleTrust(folder);
  const projectId = await insertProject(store, title, folder, trust);
  const { treeHash } = await findProject(store, projectId);
  await openRunQueue(store).enqueueRun({
    id: brandAs<RunId>(randomUUID()),
    projectId,
    treeHash,
    correlationId: brandAs<CorrelationId>(randomUUID()),
    agent: undefined,
    message: readFolder(folder).settings.example_message ?? 'Hello',
    model: undefined,
    confirmedHash: trust.confirmed.hash,
  });
}
