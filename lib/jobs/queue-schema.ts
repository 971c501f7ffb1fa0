import type { DLogger } from '@dbos-inc/dbos-sdk';
import { allMigrations } from '@dbos-inc/dbos-sdk/internal/sysdb_migrations/internal/migrations';
import { ensureSystemDatabase } from '@dbos-inc/dbos-sdk/internal/system_database';
import { GlobalLogger } from '@dbos-inc/dbos-sdk/internal/telemetry/logs';
import type { Client } from 'pg';

/** What goes wrong is thrown; the rest would be lines on the terminal of `npm start`. */
const silent: DLogger = { debug() {}, info() {}, warn() {}, error() {} };

/** Makes or updates DBOS's own tables (schema `dbos`), so that the web can enqueue before the first worker is up. */
export async function prepareQueueSchema(databaseUrl: string): Promise<void> {
  await ensureSystemDatabase(databaseUrl, new GlobalLogger(undefined, { logger: silent }));
}

/** True when DBOS's tables exist and are older than this DBOS; `prepareQueueSchema` would change them. */
export async function isQueueSchemaOld(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM pg_tables WHERE schemaname = 'dbos' AND tablename = 'dbos_migrations'`,
  );
  if (rowCount === 0) return false;
  const { rows } = await client.query<{ version: string }>('SELECT max(version) AS version FROM dbos.dbos_migrations');
  return Number(rows[0]?.version ?? 0) < allMigrations().length;
}
