import path from 'node:path';
import { startWatchdog } from '@/bin/watchdog.mjs';
import { startWorker } from '@/lib/jobs/worker';
import { ownAddresses } from '@/lib/tools/mcp/own-addresses';
import { endAbandonedDatabase } from './abandoned-database';
import { appFolder } from './app-folder';
import { exitWithParent } from './child-process';
import { loadEnvFile, readEnv } from './env';
import { createLog } from './log';
import { privateUmask } from './private-folder';

/** The worker process: `tsx lib/server/worker-main.ts`, with DATABASE_URL set. */
async function main(): Promise<void> {
  const launcher = process.ppid;
  process.umask(privateUmask);
  loadEnvFile();
  const env = readEnv(process.env);
  const log = createLog('worker');
  if (env.databaseUrl === undefined) throw new Error('DATABASE_URL is not set. Start Callboard with npm start.');
  const { DATABASE_URL: _hidden, ...visible } = process.env;
  startWatchdog({ process: 'worker', seconds: env.watchdogSeconds, databaseUrl: env.databaseUrl });
  const worker = await startWorker({
    databaseUrl: env.databaseUrl,
    dataFolder: env.dataFolder,
    packages: path.join(appFolder, 'node_modules'),
    log,
    python: env.python,
    shell: env.shell,
    own: await ownAddresses({ webPort: env.port, databaseUrl: env.databaseUrl }),
    allowPrivateUrls: env.allowPrivateUrls,
    env: { ...visible, OPENAI_API_KEY: env.openaiApiKey, OPENAI_BASE_URL: env.openaiBaseUrl },
  });
  exitWithParent(async () => {
    log.info('worker stops');
    await worker.stop();
    endAbandonedDatabase(env.dataFolder, launcher);
  });
  process.send?.('ready');
}

await main();
