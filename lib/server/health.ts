import { silentConnectionName, workerConnectionName } from '@/lib/jobs/liveness';
import { type DiskState, diskState, freeBytes } from './disk-space';
import { services } from './services';
import { knownDatabaseUrl } from './settings/process-env';
import { webEnv } from './settings/web-env';

export interface Health {
  /** `ok` if the database responds, all configured workers run, and the disk has room. */
  readonly status: 'ok' | 'degraded';
  readonly web: 'ok';
  readonly database: 'ok' | 'unavailable';
  /** Workers that are alive and respond. Without any, runs wait in the queue. */
  readonly workers: number;
  /** Workers whose main thread does not respond. The watchdog will end them. */
  readonly silent: number;
  /** Workers of this installation that have ended and are being restarted. */
  readonly restarting: number;
  /** The disk of the data folder. */
  readonly disk: DiskState;
}

/** Returns the state of Callboard. Does not wait for parts that are down. Never throws. */
export async function readHealth(): Promise<Health> {
  const disk = diskState(freeBytes(webEnv().dataFolder));
  // At the start the web process answers before the database does.
  const counts = knownDatabaseUrl() === undefined ? undefined : await countWorkers().catch(() => undefined);
  if (counts === undefined)
    return { status: 'degraded', web: 'ok', database: 'unavailable', workers: 0, silent: 0, restarting: 0, disk };
  const { connected, silent } = counts;
  const restarting = Math.max(0, webEnv().workers - connected);
  const status = silent === 0 && restarting === 0 && connected > 0 && disk === 'ok' ? 'ok' : 'degraded';
  return { status, web: 'ok', database: 'ok', workers: Math.max(0, connected - silent), silent, restarting, disk };
}

async function countWorkers(): Promise<{ readonly connected: number; readonly silent: number }> {
  const { store } = await services();
  const { rows } = await store.pool.query<{ connected: number; silent: number }>(
    `SELECT count(*) FILTER (WHERE split_part(application_name, ' ', 1) = $1)::int AS connected,
            count(*) FILTER (WHERE application_name = $2)::int AS silent
     FROM pg_stat_activity WHERE datname = current_database()`,
    [workerConnectionName, silentConnectionName],
  );
  return rows[0] ?? { connected: 0, silent: 0 };
}
