import path from 'node:path';
import { Client } from 'pg';
import { sealingKeysOf } from '@/lib/store/backup/write-backup';
import { pendingMigrations, unknownMigrations } from '@/lib/store/migrate';
import type { SealingKey } from '@/lib/store/sealing';
import { appFolder } from './settings/app-folder';

export interface DatabaseVersion {
  /** Migrations that the database lacks. */
  readonly missing: readonly string[];
  /** Migrations of the database that this Callboard does not know: a newer one made them. */
  readonly unknown: readonly string[];
}

/** Compares the database with this Callboard. Rejects with the error of Postgres if it cannot be reached. */
export async function readDatabaseVersion(databaseUrl: string): Promise<DatabaseVersion> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const folder = path.join(appFolder, 'prisma');
    return {
      missing: await pendingMigrations(client, folder),
      unknown: await unknownMigrations(client, folder),
    };
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Says what to do about a database of a newer Callboard. */
export function newerSentence({ unknown }: Pick<DatabaseVersion, 'unknown'>): string {
  return (
    `The database is of a newer Callboard: this one does not know its migration ${unknown.at(-1)}. Install that version again, or restore the ` +
    'backup that was made before the upgrade (docs/deploy.md).'
  );
}

/** Throws an Error for users if a newer Callboard has used the database. One that cannot be reached is reported by what uses it next. */
export async function refuseNewer(databaseUrl: string): Promise<void> {
  const found = await readDatabaseVersion(databaseUrl).catch(() => undefined);
  if (found !== undefined && found.unknown.length > 0) throw new Error(newerSentence(found));
}

/** Returns the ids of keys that values of the database are sealed to, and that are not among `keys`. */
export async function unopenedKeys(databaseUrl: string, keys: readonly SealingKey[]): Promise<readonly string[]> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const known = keys.map(({ id }) => id);
    return (await sealingKeysOf(client)).filter((id) => !known.includes(id));
  } finally {
    await client.end().catch(() => undefined);
  }
}

export function unopenedLine(ids: readonly string[], dataFolder: string): string {
  return (
    `Secrets are sealed to another key (${ids.join(', ')}), and do not open. Put the file secret-key that belongs to this database into ` +
    `${dataFolder}, or set CALLBOARD_SECRET_KEY; or set the secrets anew.`
  );
}
