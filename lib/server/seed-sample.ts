import type { Store } from '@/lib/store/database';
import { insertProject } from '@/lib/store/projects';
import { claimOnce } from '@/lib/store/settings';
import { sampleTrust } from './sample-trust';
import { readSample } from './samples';

/** Creates the sample project, once per database. A deleted sample is not created again. */
export async function seedSample(store: Store): Promise<void> {
  const isFirstStart = await claimOnce(store, 'sample-seeded');
  if (!isFirstStart || (await store.prisma.project.count()) > 0) return;
  const { title, folder } = await readSample('pmo');
  await insertProject(store, title, folder, sampleTrust(folder));
}
