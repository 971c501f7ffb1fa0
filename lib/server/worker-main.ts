import path from 'node:path';
import { startWatchdog } from '@/bin/watchdog.mjs';
import { hiderOf } from '@/lib/base/hider';
import { systemClock } from '@/lib/jobs/system-clock';
import { KnownValues } from '@/lib/runtime/record/known-values';
import { setOwnPrices } from '@/lib/trace/own-prices';
import { endAbandonedDatabase } from './abandoned-database';
import { exitWithParent } from './child-process';
import { createLog } from './log';
import { privateUmask } from './private-folder';
import { receiveVariables } from './process-variables';
import { openFolderReader } from './reading/folder-reader';
import { rememberReadings } from './reading/run-readings';
import { compiledThreadCode } from './reading/thread-code';
import { appFolder } from './settings/app-folder';
import { readEnv } from './settings/env';
import { withoutProvider } from './settings/oidc-settings';
import { environment, postgresPidFile } from './settings/process-env';
import { startWorkerWith } from './start-worker';
import { surviveOutputErrors } from './steady-output';

/** Runs the worker process, which is started by the launcher, or by hand (`node bin/worker.mjs`) with DATABASE_URL set. */
async function main(): Promise<void> {
  const launcher = process.ppid;
  const pidFile = postgresPidFile();
  process.umask(privateUmask);
  surviveOutputErrors();
  const env = readEnv(withoutProvider(await receiveVariables(path.join(appFolder, '.env'))));
  setOwnPrices(env.prices);
  const seen = new KnownValues();
  const log = createLog('worker', (line) => hiderOf(seen.current()).hide(line));
  if (env.databaseUrl === undefined) throw new Error('DATABASE_URL is not set. Start Callboard with npm start.');
  startWatchdog({ process: 'worker', seconds: env.watchdogSeconds, databaseUrl: env.databaseUrl });
  const reader = openFolderReader({ seconds: env.readingSeconds }, compiledThreadCode);
  reader.warm();
  const worker = await startWorkerWith(
    { ...env, databaseUrl: env.databaseUrl },
    { log, seen, readForRun: rememberReadings(reader, systemClock), inherited: environment() },
  );
  exitWithParent(async () => {
    log.info('worker stops');
    await worker.stop();
    await reader.close();
    if (pidFile !== undefined) endAbandonedDatabase(pidFile, env.dataFolder, launcher);
  });
  process.send?.('ready');
}

await main();
