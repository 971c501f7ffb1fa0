import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { BackupError, type BackupHeader, type BackupPart, type BackupTable, readParts } from './backup-format';
import { nameOf, quoted, sealingKeysOf, tablesOf } from './write-backup';

/** What this Callboard has: the folder of its migrations, and the version of its queue's tables. */
export interface RestoreTarget {
  readonly migrationsFolder: string;
  readonly queue: number;
}

export interface Restored {
  readonly header: BackupHeader;
  readonly tables: number;
  readonly rows: number;
  /** The keys that the secrets of the database are sealed to. */
  readonly secretKeys: readonly string[];
}

/** Reads a whole backup and changes nothing. Throws BackupError if it is damaged, or of a newer Callboard. */
export async function checkBackup(bytes: AsyncIterable<Buffer>, target: RestoreTarget): Promise<BackupHeader> {
  let header: BackupHeader | undefined;
  for await (const part of readParts(bytes)) if (part.kind === 'header') header = part.header;
  if (header === undefined) throw new BackupError('The backup is damaged or incomplete.');
  const known = new Set(await migrationNames(target));
  const unknown = header.migrations.find((name) => !known.has(name));
  if (unknown !== undefined || header.queue > target.queue) {
    const what = unknown === undefined ? 'its queue is newer' : `it has the change ${unknown}`;
    throw new BackupError(
      `The backup is of a newer Callboard (${header.callboard}): ${what}. Restore it with that one.`,
    );
  }
  return header;
}

/**
 * Says why a database may not be filled, as a sentence; `undefined` if it may. The tables of the queue (schema dbos) must exist.
 */
export async function problemOfTarget(
  client: Client,
  { migrationsFolder }: RestoreTarget,
  options: { readonly replace: boolean },
): Promise<string | undefined> {
  const others = await client.query<{ name: string }>(
    `SELECT DISTINCT COALESCE(NULLIF(application_name, ''), 'without a name') AS name FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
  );
  if (others.rows.length > 0) {
    const names = others.rows.map(({ name }) => name).join(', ');
    return `Something uses this database (${names}). Stop every Callboard that uses it, and close other programs.`;
  }
  const own = new Set(['_prisma_migrations', ...(await tablesOfMigrations(migrationsFolder))]);
  const tables = (await tablesOf(client)).filter(({ schema }) => schema === 'public');
  const foreign = tables.find(({ table }) => !own.has(table));
  if (foreign !== undefined) {
    return `The database has a table '${foreign.table}' that is not Callboard's. Restore into a database of Callboard alone.`;
  }
  if (options.replace || !tables.some(({ table }) => table === 'Project')) return undefined;
  const { rowCount } = await client.query('SELECT FROM public."Project" UNION ALL SELECT FROM public."Audit" LIMIT 1');
  return rowCount === 0
    ? undefined
    : 'The database is not empty. To lose all that is in it, and have the backup instead, add --replace.';
}

/**
 * Fills the database with a backup, in one transaction: until its end the database is as it was. Tables are made by the
 * migrations that the backup had; newer ones are applied by the next start. Throws BackupError like `checkBackup`.
 */
export async function restoreBackup(
  client: Client,
  bytes: AsyncIterable<Buffer>,
  target: RestoreTarget,
): Promise<Restored> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '10s'; SET LOCAL search_path = public;
      SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL timezone = 'UTC'; SET LOCAL client_min_messages = warning`);
    const restored = await fill(client, readParts(bytes), target);
    await client.query('COMMIT');
    return restored;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function fill(
  client: Client,
  parts: AsyncGenerator<BackupPart, void, undefined>,
  target: RestoreTarget,
): Promise<Restored> {
  const first = await parts.next();
  if (first.done === true || first.value.kind !== 'header') throw new BackupError('The backup is damaged.');
  const { header } = first.value;
  await emptyTables(client);
  await makeTables(client, header, target);
  const known = new Map((await tablesOf(client)).map((table) => [nameOf(table), table]));
  const constraints = await takeForeignKeys(client);
  for (const table of known.values()) await client.query(`ALTER TABLE ${nameOf(table)} DISABLE TRIGGER USER`);
  let [tables, rows] = [0, 0];
  for await (const part of parts) {
    if (part.kind === 'table') {
      tables += 1;
      rows += await fillTable(client, part.table, known.get(nameOf(part.table)), parts);
    } else if (part.kind === 'end') {
      for (const { schema, name, last, called } of part.sequences) {
        await client.query('SELECT setval($1::regclass, $2::bigint, $3)', [
          nameOf({ schema, table: name }),
          last,
          called,
        ]);
      }
    }
  }
  for (const table of known.values()) await client.query(`ALTER TABLE ${nameOf(table)} ENABLE TRIGGER USER`);
  for (const { table, name, definition } of constraints) {
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${quoted(name)} ${definition}`);
  }
  return { header, tables, rows, secretKeys: await sealingKeysOf(client) };
}

/** Removes what Callboard made in `public`, and the rows of its queue. */
async function emptyTables(client: Client): Promise<void> {
  const tables = await tablesOf(client);
  for (const table of tables.filter(({ schema }) => schema === 'public')) {
    await client.query(`DROP TABLE IF EXISTS ${nameOf(table)} CASCADE`);
  }
  const { rows } = await client.query<{ drop: string }>(
    `SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', p.oid::regprocedure) AS drop
     FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace AND n.nspname = 'public'
     WHERE NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
  );
  for (const { drop } of rows) await client.query(drop);
  const queue = tables.filter(({ schema, table }) => schema === 'dbos' && table !== queueVersions);
  if (queue.length > 0) await client.query(`TRUNCATE ${queue.map(nameOf).join(', ')}`);
}

/** The queue keeps the version of its tables here, which is that of this Callboard. */
const queueVersions = 'dbos_migrations';

async function makeTables(client: Client, header: BackupHeader, target: RestoreTarget): Promise<void> {
  const applied = new Set(header.migrations);
  for (const name of (await migrationNames(target)).filter((each) => applied.has(each))) {
    await client.query(await readFile(path.join(target.migrationsFolder, name, 'migration.sql'), 'utf8'));
  }
  await client.query(`CREATE TABLE _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`);
  // A migration may write rows. The backup has them too.
  const made = (await tablesOf(client)).filter(({ schema }) => schema === 'public');
  for (const table of made) await client.query(`ALTER TABLE ${nameOf(table)} DISABLE TRIGGER USER`);
  await client.query(`TRUNCATE ${made.map(nameOf).join(', ')}`);
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** Removes the foreign keys, so that tables may be filled in any order. */
async function takeForeignKeys(client: Client): Promise<readonly ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT c.conrelid::regclass::text AS table, c.conname AS name, pg_get_constraintdef(c.oid) AS definition
     FROM pg_constraint c JOIN pg_namespace n ON n.oid = c.connamespace
     WHERE c.contype = 'f' AND n.nspname IN ('public', 'dbos') AND c.conparentid = 0`,
  );
  for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${quoted(name)}`);
  return rows;
}

/** Reads the parts of one table up to its number of rows, which it returns. */
async function fillTable(
  client: Client,
  table: BackupTable,
  known: BackupTable | undefined,
  parts: AsyncGenerator<BackupPart, void, undefined>,
): Promise<number> {
  const missing = known === undefined ? [table.table] : table.columns.filter((name) => !known.columns.includes(name));
  if (missing.length > 0) throw new BackupError(`The backup has '${missing[0]}', which this Callboard does not know.`);
  const isKept = table.schema === 'dbos' && table.table === queueVersions;
  const text = `COPY ${nameOf(table)} (${table.columns.map(quoted).join(', ')}) FROM STDIN`;
  if (isKept) return await rowsOf(parts, async () => undefined);
  const copy = client.query(copyFrom(text));
  const done = finished(copy);
  // Awaited below. A failure while bytes are written must not count as unhandled.
  done.catch(() => undefined);
  try {
    const rows = await rowsOf(parts, async (bytes) => {
      if (!copy.write(bytes)) await Promise.race([once(copy, 'drain'), done]);
    });
    copy.end();
    await done;
    if (copy.rowCount !== rows) throw new BackupError(`Rows of '${table.table}' are missing.`);
    return rows;
  } catch (error) {
    // The server waits for more rows until it is told that none come.
    copy.destroy(error instanceof Error ? error : undefined);
    await done.catch(() => undefined);
    throw error;
  }
}

/** Hands on the data of a table, and returns the number of rows that stands behind it. */
async function rowsOf(
  parts: AsyncGenerator<BackupPart, void, undefined>,
  take: (bytes: Buffer) => Promise<unknown>,
): Promise<number> {
  for (;;) {
    const { done, value: part } = await parts.next();
    if (done !== true && part.kind === 'data') await take(part.bytes);
    else if (done !== true && part.kind === 'rows') return part.rows;
    else throw new BackupError('The backup is damaged.');
  }
}

async function migrationNames({ migrationsFolder }: RestoreTarget): Promise<readonly string[]> {
  const entries = await readdir(migrationsFolder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** Every table that a migration has ever made. */
async function tablesOfMigrations(migrationsFolder: string): Promise<readonly string[]> {
  const names = await migrationNames({ migrationsFolder, queue: 0 });
  const texts = await Promise.all(
    names.map((name) => readFile(path.join(migrationsFolder, name, 'migration.sql'), 'utf8')),
  );
  return texts.flatMap((text) =>
    [...text.matchAll(/(?:CREATE (?:UNLOGGED )?TABLE|RENAME TO) "?(\w+)"?/g)].map(([, name = '']) => name),
  );
}
