import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DiffTarget, MigrationList } from '@prisma/schema-engine-wasm';
import { Client } from 'pg';
import { withSchemaEngine } from './schema-engine';

const noFilters = { externalTables: [], externalEnums: [] };

/** An advisory lock, so that two processes that start on one database migrate one after the other. */
const migrationLock = 7_203_014;
const retryMs = 50;

/**
 * Applies the migrations of `<prismaFolder>/migrations` that the database lacks and returns their names. Its state in
 * `_prisma_migrations` is the same as that of `prisma migrate deploy`. Throws when a migration fails.
 */
export async function migrate(databaseUrl: string, prismaFolder: string): Promise<readonly string[]> {
  return await withMigrationLock(databaseUrl, () => applyAll(databaseUrl, prismaFolder));
}

/** Does work on the tables while nobody else changes them. `work` has connections of its own. */
export async function withMigrationLock<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl });
  // This connection only holds the lock. If it breaks, the migration itself fails, so its own error must not end the
  // process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await takeMigrationLock(client);
    return await work();
  } finally {
    await client.end();
  }
}

/**
 * Takes the lock for this connection. It asks again and again, because a statement that waits has a snapshot, and the holder may wait
 * for the end of all snapshots (CREATE INDEX CONCURRENTLY in the tables of the queue).
 */
export async function takeMigrationLock(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      migrationLock,
    ]);
    if (rows[0]?.taken === true) return;
    await sleep(retryMs);
  }
}

/**
 * Returns the names of the migrations of `<prismaFolder>/migrations` that the database lacks, in order. A migration that
 * began and did not end counts as applied: a person has to repair it, and the backup made before it has the earlier data.
 */
export async function pendingMigrations(client: Client, prismaFolder: string): Promise<readonly string[]> {
  const names = await migrationNames(join(prismaFolder, 'migrations'));
  const applied = await appliedMigrations(client);
  return names.filter((name) => !applied.includes(name));
}

/** Returns the names of the migrations of the database that `<prismaFolder>/migrations` lacks: a newer version has applied them. */
export async function unknownMigrations(client: Client, prismaFolder: string): Promise<readonly string[]> {
  const names = await migrationNames(join(prismaFolder, 'migrations'));
  return (await appliedMigrations(client)).filter((name) => !names.includes(name));
}

async function appliedMigrations(client: Client): Promise<readonly string[]> {
  if (!(await hasTable(client, 'public', '_prisma_migrations'))) return [];
  const { rows } = await client.query<{ name: string }>(
    'SELECT migration_name AS name FROM public._prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name',
  );
  return rows.map(({ name }) => name);
}

/** Returns false for a database that was never used, because even the sample project is missing. */
export async function holdsData(client: Client): Promise<boolean> {
  if (!(await hasTable(client, 'public', 'Project'))) return false;
  const { rowCount } = await client.query('SELECT 1 FROM public."Project" LIMIT 1');
  return rowCount !== 0;
}

async function hasTable(client: Client, schema: string, table: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = $2', [
    schema,
    table,
  ]);
  return rowCount !== 0;
}

/** Returns the SQL that changes a database from schema `before` ('' for an empty database) to schema `after`. */
export async function migrationSql(databaseUrl: string, before: string, after: string): Promise<string> {
  return await withSchemaEngine(databaseUrl, after, async (engine) => {
    const from: DiffTarget = before === '' ? { tag: 'empty' } : datamodel(before);
    const params = { from, to: datamodel(after), script: true, exitCode: null, filters: noFilters };
    return (await engine.diff(params)).stdout ?? '';
  });
}

function datamodel(content: string): DiffTarget {
  return { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content }] };
}

async function applyAll(databaseUrl: string, prismaFolder: string): Promise<readonly string[]> {
  const schema = await readFile(join(prismaFolder, 'schema.prisma'), 'utf8');
  const migrationsList = await readMigrations(join(prismaFolder, 'migrations'));
  return await withSchemaEngine(databaseUrl, schema, async (engine) => {
    return (await engine.applyMigrations({ migrationsList, filters: noFilters })).appliedMigrationNames;
  });
}

async function readMigrations(folder: string): Promise<MigrationList> {
  const names = await migrationNames(folder);
  const migrationDirectories = await Promise.all(names.map((name) => readMigration(folder, name)));
  const content = await readFile(join(folder, 'migration_lock.toml'), 'utf8');
  return {
    baseDir: folder,
    lockfile: { path: 'migration_lock.toml', content },
    migrationDirectories,
    shadowDbInitScript: '',
  };
}

async function migrationNames(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

async function readMigration(folder: string, name: string): Promise<MigrationList['migrationDirectories'][number]> {
  const value = await readFile(join(folder, name, 'migration.sql'), 'utf8');
  return { path: name, migrationFile: { path: 'migration.sql', content: { tag: 'ok', value } } };
}
