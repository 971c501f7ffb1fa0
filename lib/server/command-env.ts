import { type GivenVariables, pickProjectEnv, readListedVariables } from '@/lib/base/project-env';
import { type ProviderVariables, pickProviderVariables } from '@/lib/cards/models/providers';
import { type PythonSetting, pythonSetting } from '@/lib/sandbox/python/python-setting';
import type { OwnPrice } from '@/lib/trace/own-prices';
import { portOfRunningApp } from './running-app';
import { dataFolderOf } from './settings/data-folder';
import { type Env, EnvError, loadEnvFile, readEnv } from './settings/env';
import { readPrices } from './settings/price-file';
import { environment } from './settings/process-env';

/** The settings of a command that works beside the app, from the environment and `.env`. */
export interface CommandEnv extends GivenVariables {
  /** The whole environment. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly dataFolder: string;
  readonly databaseUrl: string | undefined;
  /** The port of the app, if it is running. */
  readonly webPort: number | undefined;
  readonly allowPrivateUrls: string | undefined;
  readonly models: ProviderVariables;
  readonly python: PythonSetting;
  /** True if agents whose cards ask for a shell get one. */
  readonly shell: boolean;
  /** The operator's prices of models. */
  readonly prices: readonly OwnPrice[];
}

/**
 * Reads the settings for a command. A command uses neither the app's port nor its database, so values that would keep the app
 * from starting are accepted here; `readEnv` refuses them. `python` replaces CALLBOARD_PYTHON. `env` adds names to
 * CALLBOARD_PROJECT_ENV. Throws an Error if a name is not allowed in
 * CALLBOARD_PROJECT_ENV, or if the file of CALLBOARD_PRICES is not right.
 */
export function readCommandEnv(
  options: { readonly python?: string | undefined; readonly env?: readonly string[] } = {},
): CommandEnv {
  loadEnvFile();
  const variables = environment();
  const listed = readListedVariables([variables.CALLBOARD_PROJECT_ENV ?? '', ...(options.env ?? [])].join(','));
  if (listed.problems.length > 0) throw new Error(listed.problems.join('\n'));
  const { prices, problems } = readPrices(variables);
  if (problems.length > 0) throw new EnvError(problems.join('\n'));
  return {
    variables,
    dataFolder: dataFolderOf(variables),
    databaseUrl: variables.DATABASE_URL || undefined,
    webPort: portOfRunningApp(variables),
    allowPrivateUrls: variables.CALLBOARD_ALLOW_PRIVATE_URLS,
    models: pickProviderVariables(variables),
    ...pickProjectEnv(listed.listed, variables),
    python: pythonSetting(options.python ?? variables.CALLBOARD_PYTHON, variables.PATH),
    shell: variables.CALLBOARD_SHELL === '1',
    prices,
  };
}

/** Returns the settings of the app that the same environment would start. Throws EnvError. */
export function readAppEnv(): Env {
  loadEnvFile();
  return readEnv(environment());
}
