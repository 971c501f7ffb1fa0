import path from 'node:path';
import { prepareQueueSchema } from '@/lib/jobs/queue-schema';
import { migrate } from '@/lib/store/migrate';
import { appFolder } from './app-folder';

/** Brings a database, new or old, to what this version needs. Safe to call from several processes at once. */
export async function prepareDatabase(databaseUrl: string): Promise<void> {
  await migrate(databaseUrl, path.join(appFolder, 'prisma'));
  await prepareQueueSchema(databaseUrl);
}
