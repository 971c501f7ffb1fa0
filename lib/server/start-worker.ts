import path from 'node:path';
import type { Logger } from 'pino';
import type { ReadForRun } from '@/lib/jobs/run-context';
import { startWorker, type Worker } from '@/lib/jobs/worker';
import type { KnownValues } from '@/lib/runtime/record/known-values';
import { ownAddresses } from '@/lib/tools/mcp/own-addresses';
import { ensureSecretKey, oldSecretKeys } from './secret-key';
import { appFolder } from './settings/app-folder';
import { appVersion } from './settings/app-version';
import { loopbackHosts } from './settings/bind';
import type { Env } from './settings/env';

export interface WorkerParts {
  readonly log: Logger;
  /** Gets the secrets that the log must not show. */
  readonly seen?: KnownValues;
  readonly readForRun: ReadForRun;
  /** The environment from which servers and commands inherit PATH and similar variables. */
  readonly inherited: Readonly<Record<string, string | undefined>>;
}

/** Starts the worker of this process with the settings of an operator. */
export async function startWorkerWith(
  env: Env & { readonly databaseUrl: string },
  parts: WorkerParts,
): Promise<Worker> {
  return await startWorker({
    databaseUrl: env.databaseUrl,
    dataFolder: env.dataFolder,
    packages: path.join(appFolder, 'node_modules'),
    log: parts.log,
    seen: parts.seen,
    version: appVersion(),
    python: env.python,
    shell: env.shell,
    own: await ownAddresses({
      webPort: env.port,
      webHost: loopbackHosts.includes(env.host) ? undefined : env.host,
      databaseUrl: env.databaseUrl,
    }),
    allowPrivateUrls: env.allowPrivateUrls,
    models: env.models,
    projectEnv: env.projectEnv,
    boundEnv: env.boundEnv,
    bound: env.bound,
    accounts: env.accounts,
    secretKeys: [ensureSecretKey(env), ...oldSecretKeys(env)],
    spans: env.spans,
    notify: env.notify,
    port: env.port,
    env: parts.inherited,
    readForRun: parts.readForRun,
  });
}
