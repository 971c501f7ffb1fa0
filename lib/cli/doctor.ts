import { spawnSync } from 'node:child_process';
import { keyVariables } from '@/lib/cards/models/providers';
import { systemFence } from '@/lib/sandbox/fence/fence';
import { runningDatabaseUrl } from '@/lib/server/backup/command-database';
import { canListen } from '@/lib/server/ports';
import { portOfRunningApp } from '@/lib/server/running-app';
import { type Env, EnvError, loadEnvFile, readEnv } from '@/lib/server/settings/env';
import { environment } from '@/lib/server/settings/process-env';
import { type AppClient, appClient } from './app-client';
import { checkAddress, checkPublicAddress } from './check-address';
import { checkApp } from './check-app';
import { checkDatabase } from './check-database';
import { checkDataFolder, checkDisk, checkIsolation, checkNode, checkSecretFiles } from './check-machine';
import { checkMail } from './check-mail';
import type { Finding } from './finding';
import { printJson, printNote, printResult } from './print';

/**
 * `doctor [--json]`: checks the machine, the settings and, where it runs, the app. Changes nothing. Prints a line for each finding and
 * what to do next. Exit code 0: nothing failed, 1: something did, 2: wrong arguments.
 */
export async function doctor(args: readonly string[]): Promise<number> {
  const unknown = args.find((arg) => arg !== '--json');
  if (unknown !== undefined) {
    printNote(`Unknown option '${unknown}'. Usage: callboard doctor [--json]\n`);
    return 2;
  }
  const findings = await examine();
  for (const finding of findings) {
    if (args.includes('--json')) printJson(finding);
    else printResult(lineOf(finding));
  }
  return findings.some(({ state }) => state === 'fail') ? 1 : 0;
}

const marks = { ok: 'ok  ', warn: 'note', fail: 'FAIL' };

function lineOf({ name, state, detail, next }: Finding): string {
  return `${marks[state]}  ${name}: ${detail}\n${next === undefined ? '' : `      → ${next}\n`}`;
}

async function examine(): Promise<readonly Finding[]> {
  const node = checkNode(process.versions.node);
  let env: Env;
  try {
    loadEnvFile();
    env = readEnv(environment());
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    const next = 'Correct it in .env or in the environment (.env.example lists all).';
    return [
      node,
      ...error.message.split('\n').map((detail): Finding => ({ name: 'Settings', state: 'fail', detail, next })),
    ];
  }
  const isRunning = portOfRunningApp(environment()) !== undefined;
  return [
    node,
    { name: 'Settings', state: 'ok', detail: 'all values can be read' },
    ...checkDataFolder(env.dataFolder),
    checkDisk(env.dataFolder),
    checkIsolation(systemFence().kind),
    ...checkPython(env),
    checkModels(env),
    ...checkSecretFiles(environment()),
    checkAddress(env),
    ...(await checkKnownDatabase(env)),
    ...(env.notify.mail === undefined ? [] : [await checkMail(env.notify.mail)]),
    ...(isRunning ? await checkRunningApp() : [await checkPort(env)]),
    ...(isRunning && env.notify.publicUrl !== undefined ? [await checkPublicAddress(env.notify.publicUrl)] : []),
  ];
}

/** The built-in database is checked while Callboard runs. */
async function checkKnownDatabase(env: Env): Promise<readonly Finding[]> {
  const url = runningDatabaseUrl(env);
  return url === undefined ? [] : await checkDatabase(url, env);
}

/** Where people have accounts, a command needs a login. */
async function checkRunningApp(): Promise<readonly Finding[]> {
  let client: AppClient;
  try {
    client = appClient();
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return [{ name: 'App', state: 'warn', detail, next: 'Sign in, and run callboard doctor again.' }];
  }
  return await checkApp(client);
}

function checkPython({ python }: Env): readonly Finding[] {
  if (!python.enabled) return [];
  const { status, stdout, stderr } = spawnSync(python.interpreter, ['--version'], {
    encoding: 'utf8',
    timeout: 10_000,
  });
  const found = `${stdout ?? ''}${stderr ?? ''}`.trim();
  if (status === 0) return [{ name: 'Python', state: 'ok', detail: `${found} (${python.interpreter})` }];
  const next = 'Set CALLBOARD_PYTHON to an interpreter, or to 0.';
  return [{ name: 'Python', state: 'fail', detail: `${python.interpreter} does not run`, next }];
}

function checkModels({ models }: Env): Finding {
  const keys = keyVariables.filter((name) => models[name] !== undefined);
  if (keys.length > 0) return { name: 'Keys of models', state: 'ok', detail: keys.join(', ') };
  const next =
    'Set one in Settings, Models and keys, or in the environment. Models of this machine and scripts need none.';
  return { name: 'Keys of models', state: 'ok', detail: 'none in the environment', next };
}

async function checkPort({ host, port }: Env): Promise<Finding> {
  if ((await canListen(host, port)) !== undefined) {
    return { name: 'App', state: 'ok', detail: `not running; port ${port} is free`, next: 'npm start' };
  }
  const next = `Stop the program that uses it, or set PORT.`;
  return { name: 'App', state: 'fail', detail: `not running, and port ${port} is taken by another program`, next };
}
