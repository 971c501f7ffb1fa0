import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { unplacedLine } from '@/lib/base/project-env';
import { systemFence } from '@/lib/sandbox/fence/fence';
import { ensureAccessToken } from './access-token';
import { restoreAdvice } from './cluster-folder';
import { sendDatabaseUrl } from './database-url';
import { openPostgres, type PostgresCluster } from './embedded-postgres';
import { withoutPasswords } from './log';
import { openLog } from './open-log';
import { canListen } from './ports';
import { makeDataFolderPrivate, privateUmask } from './private-folder';
import { environmentOfChild, sendVariables } from './process-variables';
import { ensureSecretKey, knownSecretKeys } from './secret-key';
import { appFolder } from './settings/app-folder';
import { appVersion } from './settings/app-version';
import { loopbackHosts } from './settings/bind';
import { type Env, EnvError, loadEnvFile, readEnv } from './settings/env';
import { writePriceList } from './settings/price-variable';
import { environment } from './settings/process-env';
import { lockDataFolder, unlockDataFolder } from './start-lock';
import { type Part, problemOfPart, readParts } from './start-parts';
import { surviveOutputErrors } from './steady-output';
import { type Supervised, supervise } from './supervise';
import { watchSources } from './watch-sources';
import { appAddress, openAnEditor, openFirstPage, webAnswers, webListens } from './web-readiness';
import { secretsOfWeb } from './web-secrets';

/**
 * `callboard start`: builds the app if needed, starts database, workers and web server, and keeps them running until Ctrl-C or
 * SIGTERM. Resolves to the exit code. A failed start prints one sentence on stderr and resolves to 1.
 *
 * With `sources` nothing is built: pages are compiled on request, and workers restart when their code changes. `--only web` and
 * `--only worker` among `args` start one part, beside others of the same database.
 */
export async function startCallboard(from: 'built' | 'sources', args: readonly string[] = []): Promise<number> {
  surviveOutputErrors();
  const parts = readParts(args);
  if (typeof parts === 'string') return refuse(parts);
  let env: Env;
  try {
    loadEnvFile();
    env = readEnv(environment());
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    return refuse(error.message);
  }
  const problem = problemOfPart(parts, env);
  if (problem !== undefined) return refuse(problem);
  // Workers alone open no port and no database of the data folder, so they may stand beside the web process of this machine.
  if (!parts.includes('web')) return await run((running, signal) => startWorkersAlone(env, running, signal));
  if ((await canListen(env.host, env.port)) === undefined) {
    return refuse(
      `Port ${env.port} is taken by another program. Stop it, or choose another: PORT=${env.port + 1} npm start`,
    );
  }
  let holder: number | undefined;
  try {
    holder = lockDataFolder(env.dataFolder);
  } catch (error) {
    return refuse(
      `The data folder ${env.dataFolder} cannot be written: ${messageOf(error)}. Set CALLBOARD_DATA to another.`,
    );
  }
  if (holder !== undefined) {
    return refuse(
      `Callboard is already running on ${env.dataFolder} (process ${holder}). Stop it, or set CALLBOARD_DATA.`,
    );
  }

  try {
    return await run((running, signal) => start(env, running, { signal, from, parts }));
  } finally {
    unlockDataFolder(env.dataFolder);
  }
}

/** Keeps what `start` starts running until a signal comes. Resolves to the exit code. */
async function run(start: (running: Running, signal: AbortSignal) => Promise<void>): Promise<number> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  const running = new Running();
  try {
    await start(running, stopping.signal);
    await aborted(stopping.signal);
    say('Stopping.');
    return 0;
  } catch (error) {
    if (stopping.signal.aborted) return 0;
    return refuse(messageOf(error));
  } finally {
    await running.stop();
  }
}

interface StartOptions {
  readonly signal: AbortSignal;
  readonly from: 'built' | 'sources';
  readonly parts: readonly Part[];
}

/**
 * The web process starts beside the database: it listens at once, and its requests wait until the database is ready. Workers
 * start with a database that is ready. From sources they start after the first page is compiled, which a person waits for.
 */
async function start(env: Env, running: Running, { signal, from, parts }: StartOptions): Promise<void> {
  if (from === 'built') await runStep('bin/build.mjs', signal, '--drop-cache');
  // The umask is set after the build, so that everybody who may read the sources may also read the built files.
  process.umask(privateUmask);
  closeDataFolder(env);
  if (signal.aborted) return;
  const database = new Arrival<string>();
  await running.add('web', 'web server', from === 'sources' ? 8_000 : 2_500, () => startWeb(env, from, database));
  const generated = from === 'sources' ? runStep('bin/generate.mjs', signal) : Promise.resolve();
  const firstPage = from === 'sources' ? generated.then(() => openFirstPage(env, signal)) : undefined;
  // Both are awaited below. A start that fails earlier reports its own reason.
  for (const begun of [generated, firstPage]) begun?.catch(() => undefined);

  const cluster = env.databaseUrl === undefined ? await startDatabase(env, running, generated) : undefined;
  const databaseUrl = env.databaseUrl ?? cluster?.url ?? '';
  await generated;
  if (signal.aborted) return;
  const setupToken = await fillDatabase(env, databaseUrl, { cluster, from });
  database.set(databaseUrl);
  if (signal.aborted) return;
  // Beside the start of the workers. Nobody waits for it.
  if (from === 'built') void openAnEditor(env, signal);
  if (firstPage !== undefined) {
    await webListens(env, signal);
    if (!signal.aborted) say(readyLines(env, setupToken));
    await firstPage;
  }
  if (parts.includes('worker')) await addWorkers(env, running, signal, () => startWorker(env, databaseUrl, cluster));
  if (from === 'sources') {
    running.restartOnChange('worker', path.join(appFolder, 'lib'));
  } else {
    await webAnswers(env, signal);
    if (!signal.aborted) say(readyLines(env, setupToken));
    if (!signal.aborted && !parts.includes('worker')) say(noWorkerLine);
  }
}

const noWorkerLine =
  'No worker is started here. Runs wait until one is, on this or another machine: npm start -- --only worker';

/** Starts the workers of this machine for a web process of another one, or of another service of this one. */
async function startWorkersAlone(env: Env, running: Running, signal: AbortSignal): Promise<void> {
  await runStep('bin/generate.mjs', signal);
  process.umask(privateUmask);
  // Another service may make it at the same moment.
  mkdirSync(env.dataFolder, { recursive: true, mode: 0o700 });
  makeDataFolderPrivate(env.dataFolder, appFolder);
  if (signal.aborted) return;
  const { joinInstallation } = await import('./join-installation');
  const facts = await joinInstallation(env, { say, signal });
  if (facts === undefined) return;
  // A worker that does not know of accounts would start commands that nobody approved.
  const accounts = facts.accounts || env.accounts;
  const joined = { ...env, accounts, open: env.open && !accounts };
  const ready = new Arrival<string>();
  await addWorkers(joined, running, signal, () => {
    const child = startWorker(joined, env.databaseUrl ?? '', undefined);
    child.on('message', () => ready.set('ready'));
    return child;
  });
  await Promise.race([ready.promise, aborted(signal)]);
  if (!signal.aborted) say(`Ready to execute runs${facts.publicUrl === undefined ? '' : ` of ${facts.publicUrl}`}.`);
}

async function addWorkers(
  env: Env,
  running: Running,
  signal: AbortSignal,
  startOne: () => ChildProcess,
): Promise<void> {
  for (let index = 1; index <= env.workers && !signal.aborted; index += 1) {
    const name = env.workers === 1 ? 'worker' : `worker ${index}`;
    await running.add('worker', name, 8_000, startOne);
  }
}

/**
 * Creates or updates the tables, and the sample project on the first start. Returns the token of a setup link where people have accounts
 * and nobody administers them yet.
 */
async function fillDatabase(
  env: Env,
  databaseUrl: string,
  { cluster, from }: { readonly cluster: PostgresCluster | undefined; readonly from: 'built' | 'sources' },
): Promise<string | undefined> {
  // These modules are imported here, because they need the database client, which is generated first.
  const { prepareDatabase } = await import('./prepare-database');
  const { seedSample } = await import('./seed-sample');
  const { openStore } = await import('@/lib/store/database');
  const { setupTokenIfNeeded } = await import('./setup-link');
  const { refuseNewer, unopenedKeys, unopenedLine } = await import('./database-version');
  const { writeWebFacts } = await import('./web-facts');
  // Those who work on Callboard change between branches, and know what their database has.
  if (from === 'built') await refuseNewer(databaseUrl);
  await prepareDatabase(databaseUrl).catch((error: unknown) => {
    // An interrupted migration is not tried again. The backup that was made before it restores the database.
    const advice = cluster === undefined ? '' : `\n${restoreAdvice(cluster.folder, cluster.backups)}`;
    throw new Error(`The database cannot be used: ${withoutPasswords(messageOf(error))}${advice}`);
  });
  const store = openStore(databaseUrl, { maxConnections: 1 });
  await seedSample(store);
  const { id } = ensureSecretKey(env);
  const publicUrl = env.notify.publicUrl;
  await writeWebFacts(store, {
    version: appVersion(),
    key: id,
    accounts: env.accounts,
    ...(publicUrl !== undefined && { publicUrl }),
  });
  const unopened = await unopenedKeys(databaseUrl, knownSecretKeys(env));
  if (unopened.length > 0) say(unopenedLine(unopened, env.dataFolder));
  if (env.unplaced.length > 0) say(unplacedLine(env.unplaced));
  const setupToken = env.accounts ? await setupTokenIfNeeded(store) : undefined;
  await store.close();
  return setupToken;
}

/** A value that is set once, after some have begun to wait for it. */
class Arrival<T> {
  set: (value: T) => void = () => undefined;

  readonly promise = new Promise<T>((resolve) => {
    this.set = resolve;
  });
}

/** What is no secret, for the environment of web and workers. */
function sharedVariables(env: Env): Readonly<Record<string, string | undefined>> {
  return {
    NEXT_TELEMETRY_DISABLED: '1',
    CALLBOARD_APP_FOLDER: appFolder,
    CALLBOARD_DATA: env.dataFolder,
    CALLBOARD_DATABASE: env.databaseUrl === undefined ? 'embedded' : 'external',
    CALLBOARD_FENCE: systemFence().kind,
    CALLBOARD_OPEN: env.open ? '1' : '0',
    CALLBOARD_WORKERS: String(env.workers),
    CALLBOARD_WATCHDOG_SECONDS: String(env.watchdogSeconds),
    CALLBOARD_PUBLIC_URL: env.notify.publicUrl,
    CALLBOARD_HOST: env.host,
    CALLBOARD_ACCOUNTS: env.accounts ? '1' : '0',
    CALLBOARD_TRUSTED_PROXIES: env.trustedProxies.join(','),
    PORT: String(env.port),
  };
}

function startWorker(env: Env, databaseUrl: string, cluster: PostgresCluster | undefined): ChildProcess {
  return runNode(env, 'bin/worker.mjs', {
    variables: { ...sharedVariables(env), CALLBOARD_POSTGRES_PID_FILE: cluster?.pidFile },
    secrets: {
      DATABASE_URL: databaseUrl,
      CALLBOARD_SECRET_KEY: env.secretKey,
      CALLBOARD_SECRET_KEY_OLD: env.oldSecretKey,
      ...env.models,
      ...env.projectEnv,
      ...env.boundEnv,
      ...env.spanVariables,
      ...env.notifyVariables,
      CALLBOARD_PRICE_LIST: writePriceList(env.prices),
    },
    logName: 'worker',
    flags: workerFlags,
  });
}

/** The web process executes no runs. */
function startWeb(env: Env, from: 'built' | 'sources', database: Arrival<string>): ChildProcess {
  const child = runNode(env, 'bin/web.mjs', {
    variables: { ...sharedVariables(env), ...(from === 'sources' && { NODE_ENV: 'development' }) },
    secrets: secretsOfWeb(env),
    logName: 'web',
    flags: from === 'sources' ? [...webFlags, '--enable-source-maps'] : webFlags,
    arguments: from === 'sources' ? ['dev'] : [],
  });
  void database.promise.then((url) => sendDatabaseUrl(child, url));
  return child;
}

/** Makes the data folder private, and creates the access token. */
function closeDataFolder(env: Env): void {
  ensureAccessToken(env.dataFolder);
  if (makeDataFolderPrivate(env.dataFolder, appFolder)) return;
  say(
    `Other users of this machine can look into ${env.dataFolder}, which holds more than Callboard's data. They cannot read ` +
      'its logs, working copies and database.',
  );
}

/** The printed address signs the browser in. */
function readyLines(env: Env, setupToken: string | undefined): string {
  // Who administers a server does not sit at it.
  const isOpened = env.accounts || !loopbackHosts.includes(env.host);
  const address = (isOpened ? env.notify.publicUrl : undefined) ?? appAddress(env);
  if (setupToken !== undefined)
    return `Callboard is ready. Nobody administers it yet. Open this address within a day to make your account:\n${address}/setup?token=${setupToken}`;
  if (env.accounts) return `Callboard is ready. Sign in at this address:\n${address}`;
  if (!env.open)
    return `Callboard is ready. Open this address:\n${address}/?token=${ensureAccessToken(env.dataFolder)}`;
  return (
    `Callboard is ready. Open this address:\n${address}\n` +
    'CALLBOARD_OPEN=1: every user and program of this machine can read and change its projects, and start runs.'
  );
}

async function startDatabase(env: Env, running: Running, generated: Promise<void>): Promise<PostgresCluster> {
  say('Starting the database.');
  const cluster = await openPostgres(env.dataFolder);
  running.atTheEnd(() => cluster.stop());
  // This module is imported here, because it needs the generated database client.
  await generated;
  const { startWithBackup } = await import('./start-with-backup');
  let first: ChildProcess | undefined = await startWithBackup(cluster, { say });
  await running.add('database', 'database', 10_000, async () => {
    const child = first ?? (await cluster.start());
    first = undefined;
    return child;
  });
  return cluster;
}

type Kind = 'web' | 'worker' | 'database';

/** The processes that have been started. */
class Running {
  readonly #all: { readonly kind: Kind; readonly patienceMs: number; readonly process: Supervised }[] = [];

  readonly #last: (() => Promise<void>)[] = [];

  atTheEnd(work: () => Promise<void>): void {
    this.#last.push(work);
  }

  async add(
    kind: Kind,
    name: string,
    patienceMs: number,
    startOne: () => ChildProcess | Promise<ChildProcess>,
  ): Promise<void> {
    const onDeath = (reason: string) => say(`The ${name} ended (${reason}). Starting it again.`);
    this.#all.push({ kind, patienceMs, process: await supervise({ start: startOne, onDeath }) });
  }

  /** Restarts the processes of a kind whenever a file below `folder` changes. */
  restartOnChange(kind: Kind, folder: string): void {
    const stop = watchSources(folder, (file) => {
      say(`${file} changed. Starting the ${kind} again.`);
      for (const each of this.#all) if (each.kind === kind) each.process.restart('SIGTERM', each.patienceMs);
    });
    this.atTheEnd(() => Promise.resolve(stop()));
  }

  /**
   * Stops everything. The web server ends first, so that no request waits for an answer. The database ends last, because
   * workers hand back their runs to it.
   */
  async stop(): Promise<void> {
    for (const kind of ['web', 'worker', 'database'] as const) {
      const ofKind = this.#all.filter((each) => each.kind === kind);
      const signal = kind === 'database' ? 'SIGINT' : 'SIGTERM';
      await Promise.all(ofKind.map((each) => each.process.stop(signal, each.patienceMs)));
    }
    for (const work of this.#last) await work();
  }
}

/**
 * Sets the memory for young objects in MB. Objects of hundreds of waiting agents outlive the usual 16 MB, and copying them
 * again and again took a sixth of a worker's CPU (docs/benchmarks.md).
 */
const workerFlags = ['--max-semi-space-size=64'];
/**
 * The web process needs less memory for young objects. With this value garbage collection took 8 % of its CPU under load,
 * without it 10 %.
 */
const webFlags = ['--max-semi-space-size=32'];

interface Start {
  /** Variables for its environment, beside those that it inherits. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Secrets are sent over the channel, because every process of the same user can read an environment. */
  readonly secrets: Readonly<Record<string, string | undefined>>;
  readonly logName: string;
  readonly flags?: readonly string[];
  readonly arguments?: readonly string[];
}

/**
 * Starts a script with Node. Its output goes to a log file of the data folder. When the launcher dies, the channel closes
 * and the child ends.
 */
function runNode(env: Env, script: string, { variables, secrets, logName, flags = [], ...more }: Start): ChildProcess {
  const log = openLog(path.join(env.dataFolder, 'logs', `${logName}.log`));
  const child = spawn(process.execPath, [...flags, path.join(appFolder, script), ...(more.arguments ?? [])], {
    cwd: appFolder,
    env: environmentOfChild(environment(), variables),
    stdio: ['ignore', log, log, 'ipc'],
    detached: true,
  });
  closeSync(log);
  sendVariables(child, secrets);
  return child;
}

/** Runs a script to its end, with its output on the terminal. Rejects when it fails. */
function runStep(script: string, signal: AbortSignal, ...args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    // A channel is needed because it closes when the launcher is killed.
    const stdio = ['inherit', 'inherit', 'inherit', 'ipc'] as const;
    const child = spawn(process.execPath, [path.join(appFolder, script), ...args], {
      cwd: appFolder,
      stdio: [...stdio],
    });
    signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error('Callboard could not be built. The lines above say why.'));
    });
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Returns the message of an error. When every address of a host refuses, Node's error has no message, only a code. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : error.name;
}

function refuse(message: string): number {
  process.stderr.write(`${message}\n`);
  return 1;
}
