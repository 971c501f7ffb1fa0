import { workerConnectionName } from '@/lib/jobs/liveness';
import { services } from './services';

export interface Health {
  readonly status: 'ok' | 'degraded';
  readonly web: 'ok';
  readonly database: 'ok' | 'unavailable';
  /** Workers that are alive now; runs wait in the queue while there is none. */
  readonly workers: number;
}

/** Says how Callboard is, without waiting for what is down. Never throws. */
export async function readHealth(): Promise<Health> {
  const workers = await countWorkers().catch(() => undefined);
  if (workers === undefined) return { status: 'degraded', web: 'ok', database: 'unavailable', workers: 0 };
  return { status: workers > 0 ? 'ok' : 'degraded', web: 'ok', database: 'ok', workers };
}

async function countWorkers(): Promise<number> {
  const { store } = await services();
  const { rows } = await store.pool.query<{ workers: number }>(
    'SELECT count(*)::int AS workers FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()',
    [workerConnectionName],
  );
  return rows[0]?.workers ?? 0;
}
