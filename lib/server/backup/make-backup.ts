import { randomBytes } from 'node:crypto';
import { closeSync, createWriteStream, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Client } from 'pg';
import { appFolder } from '@/lib/server/settings/app-folder';
import { appVersion } from '@/lib/server/settings/app-version';
import { syncFolder } from '@/lib/server/write-file-safely';
import { appendAudit } from '@/lib/store/audit';
import { backUpDatabase } from '@/lib/store/backup/write-backup';
import { pendingMigrations } from '@/lib/store/migrate';

export interface MadeBackup {
  /** The size of what was written, compressed. */
  readonly bytes: number;
}

/**
 * Writes a backup of the whole database to a file, which appears when it is complete, or to a stream. Callboard may run meanwhile.
 * The audit log has it. Throws an Error for users when the database lacks changes of this version.
 */
export async function makeBackup(
  databaseUrl: string,
  target: string | Writable,
  { now, by }: { readonly now: Date; readonly by: { readonly by: string; readonly via: string } },
): Promise<MadeBackup> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'callboard-backup' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    if ((await pendingMigrations(client, path.join(appFolder, 'prisma'))).length > 0) {
      throw new Error('The database is of an older Callboard. Make the backup with that one, or start this one once.');
    }
    const object = typeof target === 'string' ? path.basename(target) : 'stdout';
    await appendAudit(client, { actor: by, action: 'backup.made', object });
    const bytes = backUpDatabase(client, { callboard: appVersion(), createdAt: now.toISOString() });
    if (typeof target !== 'string') return await write(bytes, target);
    return await writeFile(bytes, target);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function writeFile(bytes: AsyncIterable<Buffer>, file: string): Promise<MadeBackup> {
  const draft = `${file}.${process.pid}-${randomBytes(6).toString('hex')}.draft`;
  try {
    const made = await write(bytes, createWriteStream(draft, { flags: 'wx', mode: 0o600 }));
    const descriptor = openSync(draft, 'r+');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, file);
    syncFolder(path.dirname(path.resolve(file)));
    return made;
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

async function write(bytes: AsyncIterable<Buffer>, target: Writable): Promise<MadeBackup> {
  let size = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(bytes, createGzip(), count, target);
  return { bytes: size };
}
