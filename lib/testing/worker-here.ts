import { DBOS } from '@dbos-inc/dbos-sdk';
import { pino } from 'pino';
import { systemClock } from '@/lib/jobs/system-clock';
import { rememberReadings } from '@/lib/server/reading/run-readings';
import { webReader } from '@/lib/server/reading/web-reader';
import { readEnv } from '@/lib/server/settings/env';
import { withoutProvider } from '@/lib/server/settings/oidc-settings';
import { startWorkerWith } from '@/lib/server/start-worker';
import type { WorkerProcessOptions } from './worker-process';

export interface WorkerHere {
  stop(): Promise<void>;
}

/**
 * Starts a worker in the process of the test, which takes no time to load anything. There can be only one at a time. A test that kills
 * a worker, or has several, starts processes (./worker-process).
 */
export async function startWorkerHere({ databaseUrl, dataFolder, env }: WorkerProcessOptions): Promise<WorkerHere> {
  const inherited = { ...process.env, ...env, DATABASE_URL: databaseUrl, CALLBOARD_DATA: dataFolder };
  const worker = await startWorkerWith(
    { ...readEnv(withoutProvider(inherited)), databaseUrl },
    { log: pino({ level: 'silent' }), readForRun: rememberReadings(webReader(), systemClock), inherited },
  );
  return {
    async stop() {
      await worker.stop();
      // Otherwise DBOS refuses the workflows of the next worker.
      await DBOS.shutdown({ deregister: true });
    },
  };
}
