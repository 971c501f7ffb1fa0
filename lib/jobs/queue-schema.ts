import { ensureSystemDatabase } from '@dbos-inc/dbos-sdk/internal/system_database';
import { GlobalLogger } from '@dbos-inc/dbos-sdk/internal/telemetry/logs';
import { quietLogger } from './queue';

/** Makes or updates DBOS's own tables (schema `dbos`), so that the web can enqueue before the first worker is up. */
export async function prepareQueueSchema(databaseUrl: string): Promise<void> {
  await ensureSystemDatabase(databaseUrl, new GlobalLogger(undefined, { logger: quietLogger }));
}
