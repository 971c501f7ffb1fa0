import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DiffTarget, MigrationList } from '@prisma/schema-engine-wasm';
import { Client } from 'pg';
import { withSchemaEngine } from './schema-engine';

const noFilters = { externalTables: [], externalEnums: [] };

/** An advisory lock, so that two processes that start on one database migrate one after the other. */
export const migrationLock = 7_203_014;

/**
 * Applies the migrations of `<prismaFolder>/migrations` that the database lacks and returns their names. Its state in
 * `_prisma_migrations` is the same as that of `prisma migrate deploy`. Throws when a migration fails.
 */
export async function migrate(databaseUrl: string, prismaFolder: string): Promise<readonly string[]> {
  const client = new Client({ connectionString: databaseUrl });
  // This connection only holds the lock. If it breaks, the migration itself fails, so its own error must not end the
  // process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    return await applyAll(databaseUrl, prismaFolder);
  } finally {
    await client.end();
  }
}

/**
 * Returns the names of the migrations of `<prismaFolder>/migrations` that the database lacks, in order. A migration that
 * began and did not end counts as applied: a person has to repair it, and the backup made before it has the earlier data.
 */
export async function pendingMigrations(client: Client, prismaFolder: string): Promise<readonly string[]> {
  const names = await migrationNames(join(prismaFolder, 'migrations'));
  if (!(await hasTable(client, 'public', '_prisma_migrations'))) return names;
  const { rows } = await client.query<{ name: string }>(
    'SELECT migration_name AS name FROM public._prisma_migrations WHERE rolled_back_at IS NULL',
  );
  const applied = new Set(rows.map((row) => row.name));
  return names.filter((name) => !applied.has(name));
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
