import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Client } from 'pg';
import { isQueueSchemaOld } from '@/lib/jobs/queue-schema';
import { holdsData, pendingMigrations } from '@/lib/store/migrate';
import { backUpCluster } from './cluster-backup';
import type { PostgresCluster } from './embedded-postgres';
import { appFolder } from './settings/app-folder';

export interface StartWithBackupOptions {
  /** Receives progress messages. */
  readonly say: (line: string) => void;
  /** The folder with the migrations; by default the `prisma` folder of this Callboard. */
  readonly prismaFolder?: string;
}

/**
 * Starts the embedded database. If it lacks a migration, it is stopped, its files are copied, and it is started again, so
 * that a failed migration can be undone (docs/data.md). An empty database is not copied. Rejects with a ClusterError when
 * there is not enough space for the copy.
 */
export async function startWithBackup(
  cluster: PostgresCluster,
  { say, prismaFolder = path.join(appFolder, 'prisma') }: StartWithBackupOptions,
): Promise<ChildProcess> {
  const child = await cluster.start();
  const label = await changeAhead(cluster.url, prismaFolder).catch(async (error: unknown) => {
    await cluster.stop();
    throw error;
  });
  if (label === undefined) return child;
  await cluster.stop();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  say(`The database is brought up to date. Its backup is in ${backUpCluster(cluster, `before-${label}`)}.`);
  return await cluster.start();
}

/** Returns the last pending migration of a database that holds data, or `undefined` if there is none, or no data. */
async function changeAhead(databaseUrl: string, prismaFolder: string): Promise<string | undefined> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    if (!(await holdsData(client))) return undefined;
    const pending = await pendingMigrations(client, prismaFolder);
    return pending.at(-1) ?? ((await isQueueSchemaOld(client)) ? 'queue' : undefined);
  } finally {
    await client.end();
  }
}
