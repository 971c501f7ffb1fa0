import { Client } from 'pg';
import type { Clock } from '@/lib/base/clock';

/**
 * Finds dead workers. Each worker holds an advisory lock with its name on a separate connection. Postgres releases the lock as
 * soon as the process ends, for any reason.
 */
export interface Liveness {
  /**
   * Returns those of the given workers that are dead. Returns none right after a start of the database, because all locks
   * are free until the workers have connected again.
   */
  findDead(workers: readonly string[]): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/**
 * The name of the connection that holds a worker's lock, before its version. The health check counts connections with this name, and
 * `callboard doctor` reads the versions.
 */
export const workerConnectionName = 'callboard-worker';
/** The name of the watchdog's connection while its worker does not respond (bin/watchdog-thread.mjs). */
export const silentConnectionName = 'callboard-worker-silent';

const settleSeconds = 3;
const secondLookMs = 300;

export async function startLiveness(
  databaseUrl: string,
  worker: string,
  clock: Clock,
  version = '',
): Promise<Liveness> {
  const stopped = new AbortController();
  let connectedAt = performance.now();
  let client: Client | undefined = await connectAndLock();

  async function connectAndLock(): Promise<Client> {
    const fresh = new Client({
      connectionString: databaseUrl,
      application_name: `${workerConnectionName} ${version}`.trim(),
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    fresh.on('error', () => undefined);
    await fresh.connect();
    await fresh.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [worker]);
    connectedAt = performance.now();
    fresh.once('end', () => {
      if (client !== fresh) return;
      client = undefined;
      void reconnect();
    });
    return fresh;
  }

  async function reconnect(): Promise<void> {
    for (let delayMs = 20; !stopped.signal.aborted; delayMs = Math.min(delayMs * 2, 1_000)) {
      try {
        client = await connectAndLock();
        return;
      } catch {
        await clock.sleep(delayMs, stopped.signal);
      }
    }
  }

  /** Returns the candidates whose lock is free. To find out, it takes each lock for a moment. */
  async function free(candidates: readonly string[]): Promise<readonly string[]> {
    if (client === undefined || candidates.length === 0) return [];
    const { rows } = await client.query<{ worker: string; taken: boolean }>(
      'SELECT worker, pg_try_advisory_lock(hashtextextended(worker, 0)) AS taken FROM unnest($1::text[]) worker',
      [candidates],
    );
    const found = rows.filter((row) => row.taken).map((row) => row.worker);
    await client.query('SELECT pg_advisory_unlock(hashtextextended(worker, 0)) FROM unnest($1::text[]) worker', [
      found,
    ]);
    return found;
  }

  return {
    async findDead(workers) {
      const others = workers.filter((other) => other !== worker);
      if (client === undefined || others.length === 0) return [];
      const { rows } = await client.query<{ settled: boolean }>(
        `SELECT now() - pg_postmaster_start_time() > make_interval(secs => ${settleSeconds}) AS settled`,
      );
      // The database's clock may have been set back since its start, so the local monotonic clock is asked too.
      const known = performance.now() - connectedAt > settleSeconds * 1_000;
      if (rows[0]?.settled !== true && !known) return [];
      const suspects = await free(others);
      if (suspects.length === 0) return [];
      await clock.sleep(secondLookMs, stopped.signal);
      return await free(suspects);
    },
    async stop() {
      stopped.abort();
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined);
    },
  };
}
