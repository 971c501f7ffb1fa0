import path from 'node:path';
import { prepareQueueSchema } from '@/lib/jobs/queue-schema';
import { migrate, withMigrationLock } from '@/lib/store/migrate';
import { appFolder } from './settings/app-folder';

/** Creates or updates the tables that this version needs. Several processes may call it at once. */
export async function prepareDatabase(databaseUrl: string): Promise<void> {
  await migrate(databaseUrl, path.join(appFolder, 'prisma'));
  // DBOS takes no lock: of two that make its tables at once, one fails.
  await withMigrationLock(databaseUrl, () => prepareQueueSchema(databaseUrl));
}
