import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Client } from 'pg';
import { prepareQueueSchema, queueVersion } from '@/lib/jobs/queue-schema';
import { prepareDatabase } from '@/lib/server/prepare-database';
import { appFolder } from '@/lib/server/settings/app-folder';
import { appendAudit } from '@/lib/store/audit';
import { BackupError, type BackupHeader } from '@/lib/store/backup/backup-format';
import { checkBackup, problemOfTarget, type Restored, restoreBackup } from '@/lib/store/backup/restore-backup';
import { takeMigrationLock } from '@/lib/store/migrate';

const target = () => ({ migrationsFolder: path.join(appFolder, 'prisma', 'migrations'), queue: queueVersion() });

/** Reads a whole file and says what it is. Throws an Error for users if it cannot be restored. */
export async function checkBackupFile(file: string): Promise<BackupHeader> {
  return await checkBackup(unpacked(file), target());
}

/**
 * Fills the database with a checked file, and brings it up to this version. Throws an Error for users when the database is not
 * empty (unless `replace`), or when something uses it; then nothing was changed.
 */
export async function restoreFile(
  databaseUrl: string,
  file: string,
  { replace, by }: { readonly replace: boolean; readonly by: { readonly by: string; readonly via: string } },
): Promise<Restored> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'callboard-restore' });
  client.on('error', () => undefined);
  await client.connect();
  let restored: Restored;
  try {
    // A Callboard that starts meanwhile waits for this lock before it looks at the tables.
    await takeMigrationLock(client);
    const problem = await problemOfTarget(client, target(), { replace });
    if (problem !== undefined) throw new Error(problem);
    await prepareQueueSchema(databaseUrl);
    restored = await restoreBackup(client, unpacked(file), target());
  } finally {
    await client.end().catch(() => undefined);
  }
  await prepareDatabase(databaseUrl);
  await noteRestore(databaseUrl, restored.header, by);
  return restored;
}

async function noteRestore(
  databaseUrl: string,
  header: BackupHeader,
  actor: { readonly by: string; readonly via: string },
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await appendAudit(client, { actor, action: 'backup.restored', object: header.createdAt });
  } finally {
    await client.end();
  }
}

/** Reads and unpacks a file. An error of gzip becomes one for users. */
function unpacked(file: string): AsyncIterable<Buffer> {
  const source = createReadStream(file);
  const unpack = createGunzip();
  source.on('error', (error) => unpack.destroy(error));
  return chunksOf(source.pipe(unpack), source);
}

async function* chunksOf(bytes: Readable, source: Readable): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const chunk of bytes) yield chunk;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!code.startsWith('Z_')) throw error;
    throw new BackupError('The file is no backup of Callboard, or it is damaged or incomplete.');
  } finally {
    source.destroy();
    bytes.destroy();
  }
}
