import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type BackupHeader, type BackupPart, type BackupSequence, type BackupTable, writeParts } from './backup-format';

/** Rows that are not copied: browsers that are signed in, links that are open, and counts of tries. People sign in again. */
export const notCopied: readonly string[] = [
  'auth_session',
  'auth_verification',
  'McpSignInAttempt',
  'RateCount',
  'Presence',
];

/** What the caller knows of the backup. */
export type BackupAbout = Pick<BackupHeader, 'callboard' | 'createdAt'>;

/**
 * Reads the whole database in one transaction, so that the backup is of one moment, whatever is written meanwhile. Sealed values
 * stay sealed. The connection must be one of its own; it is in a transaction until the bytes end.
 */
export async function* backUpDatabase(client: Client, about: BackupAbout): AsyncGenerator<Buffer, void, undefined> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  // The text of values must not depend on settings of the server.
  await client.query(`SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres';
    SET LOCAL extra_float_digits = 3; SET LOCAL bytea_output = 'hex'; SET LOCAL timezone = 'UTC';
    SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL search_path = public`);
  yield* writeParts(partsOf(client, about));
  await client.query('COMMIT');
}

async function* partsOf(client: Client, about: BackupAbout): AsyncGenerator<BackupPart, void, undefined> {
  yield { kind: 'header', header: { ...about, ...(await describe(client)) } };
  for (const table of await tablesOf(client)) {
    yield { kind: 'table', table };
    const none = notCopied.includes(table.table) ? ' WHERE false' : '';
    const text = `COPY (SELECT ${table.columns.map(quoted).join(', ')} FROM ${nameOf(table)}${none}) TO STDOUT`;
    const copy = client.query(copyTo(text));
    for await (const bytes of copy) yield { kind: 'data', bytes };
    yield { kind: 'rows', rows: copy.rowCount };
  }
  yield { kind: 'end', sequences: await sequencesOf(client) };
}

async function describe(client: Client): Promise<Omit<BackupHeader, keyof BackupAbout>> {
  const { rows: migrations } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations
     WHERE rolled_back_at IS NULL AND finished_at IS NOT NULL ORDER BY migration_name`,
  );
  const { rows: queue } = await client.query<{ version: string }>(
    'SELECT max(version) AS version FROM dbos.dbos_migrations',
  );
  const { rows: server } = await client.query<{ version: string }>(
    `SELECT current_setting('server_version') AS version`,
  );
  return {
    postgres: server[0]?.version ?? '',
    migrations: migrations.map(({ name }) => name),
    queue: Number(queue[0]?.version ?? 0),
    secretKeys: await sealingKeysOf(client),
  };
}

/** Where sealed values are, and the SQL of the id of their key. */
const sealed: readonly { readonly table: string; readonly column: string; readonly id: string }[] = [
  { table: 'Secret', column: 'keyId', id: '"keyId"' },
  { table: 'McpSignIn', column: 'sealed', id: "split_part(sealed, ':', 1)" },
  { table: 'Trigger', column: 'secret', id: "split_part(secret, ':', 1)" },
  { table: 'NotifyTarget', column: 'secret', id: "split_part(secret, ':', 1)" },
];

/** Returns the ids of the keys that values of the database are sealed to. A database of an older version may lack some tables. */
export async function sealingKeysOf(client: Client): Promise<string[]> {
  const tables = await tablesOf(client);
  const ids = new Set<string>();
  for (const { table, column, id } of sealed) {
    if (!tables.some((each) => each.table === table && each.columns.includes(column))) continue;
    const { rows } = await client.query<{ id: string }>(
      `SELECT DISTINCT ${id} AS id FROM ${quoted(table)} WHERE ${quoted(column)} IS NOT NULL`,
    );
    // A value that was removed is an empty text.
    for (const row of rows) if (row.id !== '') ids.add(row.id);
  }
  return [...ids].sort();
}

/** Returns the tables of Callboard and of its queue, with the columns that have values of their own. */
export async function tablesOf(client: Client): Promise<readonly BackupTable[]> {
  const { rows } = await client.query<BackupTable>(
    `SELECT n.nspname AS schema, c.relname AS table,
       (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('public', 'dbos') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
     ORDER BY 1 DESC, 2`,
  );
  return rows;
}

async function sequencesOf(client: Client): Promise<readonly BackupSequence[]> {
  const { rows } = await client.query<Pick<BackupSequence, 'schema' | 'name'>>(
    `SELECT schemaname AS schema, sequencename AS name FROM pg_sequences WHERE schemaname IN ('public', 'dbos') ORDER BY 1, 2`,
  );
  const found: BackupSequence[] = [];
  for (const { schema, name } of rows) {
    const state = await client.query<{ last: string; called: boolean }>(
      `SELECT last_value::text AS last, is_called AS called FROM ${nameOf({ schema, table: name })}`,
    );
    found.push(...state.rows.map((row) => ({ schema, name, ...row })));
  }
  return found;
}

export function nameOf({ schema, table }: Pick<BackupTable, 'schema' | 'table'>): string {
  return `${quoted(schema)}.${quoted(table)}`;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
