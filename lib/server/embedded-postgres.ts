import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { z } from 'zod';
import { freePort } from './ports';
import { choosePostgresAccount, type PostgresAccount } from './postgres-account';
import { findPostgres } from './postgres-binaries';

/** A Postgres cluster of our own, on disk. Nothing runs yet. */
export interface PostgresCluster {
  /** postgresql://… of the database `callboard`. */
  readonly url: string;
  readonly pidFile: string;
  /** Ends a server that an earlier start left running, and makes room for a new one. */
  clear(): Promise<void>;
  /** Starts the server; it runs until it is stopped or dies. */
  spawn(): ChildProcess;
  /** Resolves when connections are accepted. Rejects when the process ended instead, with what it last said. */
  ready(child: ChildProcess): Promise<void>;
}

const user = 'callboard';
const majorVersion = '18';
const stored = z.object({ port: z.number(), password: z.string() });

/**
 * Opens the cluster under `<dataFolder>/postgres`, made on first use. It listens on 127.0.0.1 only, at a port that is
 * remembered, with a password that only this account can read. `serverSettings` are names and values of postgresql.conf. Throws with a sentence when it cannot be made.
 */
export async function openPostgres(
  dataFolder: string,
  serverSettings: Readonly<Record<string, string>> = {},
): Promise<PostgresCluster> {
  const wanted = path.join(dataFolder, 'postgres');
  mkdirSync(wanted, { recursive: true, mode: 0o700 });
  const account = choosePostgresAccount(wanted, findPostgres(dataFolder));
  const cluster = path.join(account.folder, majorVersion);
  const settingsFile = path.join(wanted, 'connection.json');
  const logFile = path.join(dataFolder, 'logs', 'postgres.log');
  mkdirSync(path.dirname(logFile), { recursive: true });

  const known = readSettings(settingsFile);
  if (known === undefined || !existsSync(path.join(cluster, 'PG_VERSION')))
    rmSync(cluster, { recursive: true, force: true });
  const pidFile = path.join(cluster, 'postmaster.pid');
  await clearServer(pidFile);
  const settings = { password: known?.password ?? randomBytes(24).toString('hex'), port: await freePort(known?.port) };
  if (!existsSync(cluster)) initialise(account, cluster, settings.password);
  writeFileSync(settingsFile, JSON.stringify(settings), { mode: 0o600 });

  const url = (database: string) => `postgresql://${user}:${settings.password}@127.0.0.1:${settings.port}/${database}`;
  return {
    url: url('callboard'),
    pidFile,
    clear: () => clearServer(pidFile),
    spawn() {
      const log = openSync(logFile, 'a');
      const [program, args] = account.command(
        account.binaries.postgres,
        serverArguments(cluster, settings.port, serverSettings),
      );
      const child = spawn(program, args, {
        ...account.ids,
        cwd: account.folder,
        env: serverEnv(account),
        stdio: ['ignore', log, log],
        // Ctrl-C in a terminal goes to every process of its group; the database must be the last to go.
        detached: true,
      });
      child.on('error', () => undefined);
      return child;
    },
    ready: (child) => waitForServer(child, url('postgres'), logFile),
  };
}

function readSettings(file: string): z.infer<typeof stored> | undefined {
  try {
    return stored.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** In a folder beside, moved into place when complete: a start that was killed half-way leaves no half cluster. */
function initialise(account: PostgresAccount, cluster: string, password: string): void {
  const draft = `${cluster}.new`;
  const passwordFile = path.join(account.folder, 'password');
  rmSync(draft, { recursive: true, force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account.ids.uid !== undefined) chownSync(passwordFile, account.ids.uid, account.ids.gid ?? account.ids.uid);
  const [program, args] = account.command(account.binaries.initdb, [
    `--pgdata=${draft}`,
    `--username=${user}`,
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
  ]);
  const result = spawnSync(program, args, {
    ...account.ids,
    cwd: account.folder,
    env: serverEnv(account),
    encoding: 'utf8',
  });
  rmSync(passwordFile, { force: true });
  if (result.status !== 0) {
    const said = `${result.stderr ?? ''}${result.error?.message ?? ''}`.trim();
    throw new Error(`The database could not be made in ${cluster}.\n${said}`);
  }
  renameSync(draft, cluster);
}

function serverArguments(cluster: string, port: number, extra: Readonly<Record<string, string>>): readonly string[] {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...extra,
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

function serverEnv(account: PostgresAccount): NodeJS.ProcessEnv {
  return {
    NODE_ENV: 'production',
    PATH: process.env.PATH,
    SystemRoot: process.env.SystemRoot,
    LC_ALL: 'C',
    ...account.binaries.env,
  };
}

async function waitForServer(child: ChildProcess, maintenanceUrl: string, logFile: string): Promise<void> {
  for (;;) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`The database ended while it was starting.\n${lastLines(logFile)}`);
    }
    if (await makeDatabase(maintenanceUrl)) return;
    await sleep(50);
  }
}

/** False while the server does not answer yet. */
async function makeDatabase(maintenanceUrl: string): Promise<boolean> {
  const client = new Client({ connectionString: maintenanceUrl, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query(`SELECT 1 FROM pg_database WHERE datname = 'callboard'`);
    if (rowCount === 0) await client.query('CREATE DATABASE callboard');
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === '28P01') throw new Error('The database refuses its own password. Delete its folder to begin anew.');
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Stops the server that `pidFile` names, if it is one. A number that now belongs to another program is only forgotten. */
async function clearServer(pidFile: string): Promise<void> {
  const pid = readPid(pidFile);
  if (pid === undefined) return;
  for (const [signal, patienceMs] of [
    ['SIGINT', 8_000],
    ['SIGQUIT', 3_000],
    ['SIGKILL', 2_000],
  ] as const) {
    if (!isPostgres(pid, path.dirname(pidFile))) break;
    process.kill(pid, signal);
    for (let waited = 0; waited < patienceMs && isPostgres(pid, path.dirname(pidFile)); waited += 25) await sleep(25);
  }
  rmSync(pidFile, { force: true });
}

function readPid(pidFile: string): number | undefined {
  if (!existsSync(pidFile)) return undefined;
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  return Number.isInteger(pid) && pid > 1 ? pid : undefined;
}

function isPostgres(pid: number, cluster: string): boolean {
  const command = commandLine(pid);
  return command.includes('postgres') && command.includes(cluster);
}

function commandLine(pid: number): string {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    } catch {
      return '';
    }
  }
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
}

function lastLines(file: string): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-5).join('\n');
}
