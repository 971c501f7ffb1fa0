import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { openPostgres, type PostgresCluster } from '@/lib/server/embedded-postgres';
import { prepareDatabase } from '@/lib/server/prepare-database';
import { supervise } from '@/lib/server/supervise';
import { openStore, type Store } from '@/lib/store/database';
import { isOutage } from '@/lib/store/outage';

export interface OwnPostgres {
  readonly cluster: PostgresCluster;
  readonly url: string;
  readonly store: Store;
  /**
   * Ends the server with a signal (SIGINT: stopped by an operator, SIGQUIT: crashed, SIGKILL: killed). Resolves when the process
   * has ended. The server is then restarted automatically, as by the launcher.
   */
  end(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>;
}

/** Starts a migrated database server for one test, in its own data folder. The test may stop and kill it. */
export async function ownPostgres(dataFolder: string): Promise<OwnPostgres> {
  const cluster = await openPostgres(dataFolder, { fsync: 'off' });
  const server = await supervise({ start: () => cluster.start(), onDeath: () => undefined });
  await prepareDatabase(cluster.url);
  const store = openStore(cluster.url);
  onTestFinished(async () => {
    await store.close();
    await server.stop('SIGINT', 5_000);
    await cluster.stop();
  });
  return {
    cluster,
    url: cluster.url,
    store,
    async end(signal) {
      const child = server.child();
      process.kill(Number.parseInt(readFileSync(cluster.pidFile, 'utf8'), 10), signal);
      if (child !== undefined && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

/** Repeats the work until it is not interrupted by an outage. */
export async function afterOutage<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error)) throw error;
      await sleep(50);
    }
  }
}
