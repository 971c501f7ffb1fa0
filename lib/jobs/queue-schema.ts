import type { DLogger } from '@dbos-inc/dbos-sdk';
import { allMigrations } from '@dbos-inc/dbos-sdk/internal/sysdb_migrations/internal/migrations';
import { ensureSystemDatabase } from '@dbos-inc/dbos-sdk/internal/system_database';
import { GlobalLogger } from '@dbos-inc/dbos-sdk/internal/telemetry/logs';
import type { Client } from 'pg';

/** DBOS must log nothing here, because its messages would appear on the terminal of `npm start`. Failures are thrown. */
const silent: DLogger = { debug() {}, info() {}, warn() {}, error() {} };

/** Creates or updates the tables of DBOS (schema `dbos`), so that the web process can queue runs before a worker has started. */
export async function prepareQueueSchema(databaseUrl: string): Promise<void> {
  await ensureSystemDatabase(databaseUrl, new GlobalLogger(undefined, { logger: silent }));
}

/** True if the tables of DBOS exist in an older version, so that `prepareQueueSchema` would change them. */
export async function isQueueSchemaOld(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM pg_tables WHERE schemaname = 'dbos' AND tablename = 'dbos_migrations'`,
  );
  if (rowCount === 0) return false;
  const { rows } = await client.query<{ version: string }>('SELECT max(version) AS version FROM dbos.dbos_migrations');
  return Number(rows[0]?.version ?? 0) < queueVersion();
}

/** The version of the tables of DBOS that `prepareQueueSchema` makes. */
export function queueVersion(): number {
  return allMigrations().length;
}
