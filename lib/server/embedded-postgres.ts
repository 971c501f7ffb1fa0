import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { ClusterError, prepareClusterFolder, restoreAdvice } from './cluster-folder';
import { keepConnectionSettings, readConnectionSettings, setPassword } from './connection-settings';
import { diskFullSentence, isDiskScarce } from './disk-space';
import { makeCluster } from './make-cluster';
import { openLog } from './open-log';
import { freePort } from './ports';
import { choosePostgresAccount, otherHomes, type PostgresAccount } from './postgres-account';
import { findPostgres } from './postgres-binaries';
import { databaseUser, serverArguments, serverEnv } from './postgres-command';
import { pidFileOf, stopServerOf } from './postgres-process';

/** Callboard's own Postgres cluster on disk. Opening it starts no server. */
export interface PostgresCluster {
  /** The address of the database `callboard`, as postgresql://…. */
  readonly url: string;
  /** The folder of its files. */
  readonly folder: string;
  /** The folder of its backups. It may not exist. */
  readonly backups: string;
  readonly account: PostgresAccount;
  readonly pidFile: string;
  /**
   * Ends a server that an earlier start left running, starts a new one, and resolves when it accepts connections. It runs
   * until it is stopped or dies. When it does not start, rejects with the output of Postgres.
   */
  start(): Promise<ChildProcess>;
  /** Ends its server, also one that another process has started. */
  stop(): Promise<void>;
}

const majorVersion = '18';

/**
 * Opens the cluster in `<dataFolder>/postgres`, and creates it on first use. It listens only on 127.0.0.1, always on the same
 * port, with a password that only this user can read. A lost password is set again. `serverSettings` are names and values of
 * postgresql.conf. A server of an earlier start is ended. Throws ClusterError when the cluster cannot be used; its files are
 * never removed.
 */
export async function openPostgres(
  dataFolder: string,
  serverSettings: Readonly<Record<string, string>> = {},
): Promise<PostgresCluster> {
  const wanted = path.join(dataFolder, 'postgres');
  mkdirSync(wanted, { recursive: true, mode: 0o700 });
  const account = choosePostgresAccount(wanted, findPostgres(dataFolder));
  const cluster = path.join(account.folder, majorVersion);
  const backups = path.join(account.folder, 'backups');
  const settingsFile = path.join(wanted, 'connection.json');
  const logFile = path.join(dataFolder, 'logs', 'postgres.log');

  const uid = account.ids.uid ?? process.getuid?.();
  const found = prepareClusterFolder({ cluster, majorVersion, uid, backups });
  if (found === 'none') refuseSecondHome(account, wanted);
  else await stopServerOf(cluster);
  const known = readConnectionSettings(settingsFile);
  const password = known?.password ?? randomBytes(24).toString('hex');
  if (found === 'none') makeCluster(account, cluster, password);
  else if (known === undefined) await setPassword(account, cluster, password);
  const port = await freePort(known?.port);
  keepConnectionSettings(settingsFile, { password, port });

  const url = (database: string) => `postgresql://${databaseUser}:${password}@127.0.0.1:${port}/${database}`;
  const spawnServer = () => {
    const log = openLog(logFile);
    const args = serverArguments(cluster, port, serverSettings);
    const child = spawn(...account.command(account.binaries.postgres, args), {
      ...account.ids,
      cwd: account.folder,
      env: serverEnv(account),
      stdio: ['ignore', log, log],
      // The database gets a process group of its own, because it must end last, and Ctrl-C in a terminal signals every
      // process of the group.
      detached: true,
    });
    closeSync(log);
    child.on('error', () => undefined);
    return child;
  };
  const startOnce = async () => {
    await stopServerOf(cluster);
    const logStart = sizeOf(logFile);
    const child = spawnServer();
    try {
      await waitForServer(child, url('postgres'));
      return child;
    } catch (error) {
      if (hasEnded(child)) throw new ClusterError(whyItEnded(cluster, backups, textFrom(logFile, logStart)));
      await stopServerOf(cluster);
      throw error;
    }
  };
  return {
    url: url('callboard'),
    folder: cluster,
    backups,
    account,
    pidFile: pidFileOf(cluster),
    async start() {
      try {
        return await startOnce();
      } catch (error) {
        if (codeOf(error) !== wrongPassword) throw error;
      }
      await setPassword(account, cluster, password);
      return await startOnce();
    },
    stop: () => stopServerOf(cluster),
  };
}

/**
 * Throws if a second, empty cluster would be created. A data folder that is used by root and by another user may have two
 * clusters.
 */
function refuseSecondHome(account: PostgresAccount, wanted: string): void {
  for (const home of otherHomes(account, wanted)) {
    const cluster = path.join(home, majorVersion);
    if (!existsSync(cluster)) continue;
    throw new ClusterError(
      `The database of this data folder is in ${cluster}, made when Callboard ran under other rights (as another account, or ` +
        `with or without user namespaces). Start it as then, or move that folder away to begin with an empty database.`,
    );
  }
}

const wrongPassword = '28P01';
const stillStarting = new Set(['57P03', '53300', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', undefined]);

/**
 * Waits without a limit while the process lives, because Postgres first replays its log after a crash, which may take
 * minutes.
 */
async function waitForServer(child: ChildProcess, maintenanceUrl: string): Promise<void> {
  for (;;) {
    if (hasEnded(child)) throw new Error('ended');
    try {
      await makeDatabase(maintenanceUrl);
      return;
    } catch (error) {
      const code = codeOf(error);
      if (code === '53100')
        throw new ClusterError(`The database cannot start. ${error instanceof Error ? error.message : ''}`);
      if (!stillStarting.has(code)) throw error;
    }
    await sleep(50);
  }
}

async function makeDatabase(maintenanceUrl: string): Promise<void> {
  const client = new Client({ connectionString: maintenanceUrl, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query(`SELECT 1 FROM pg_database WHERE datname = 'callboard'`);
    if (rowCount === 0) await client.query('CREATE DATABASE callboard');
  } finally {
    await client.end().catch(() => undefined);
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** Makes the error of a server that ended. `log` is the output of the server from its start to its end. */
function whyItEnded(cluster: string, backups: string, log: string): string {
  const last = log.trimEnd().split('\n').slice(-5).join('\n');
  const folder = path.dirname(cluster);
  if (log.includes('No space left on device') || isDiskScarce(folder)) {
    return `The database cannot start. ${diskFullSentence(folder)}`;
  }
  return `The database ended while it was starting. Nothing was removed.\n${last}\n${restoreAdvice(cluster, backups)}`;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Returns the text of a file after its first `start` bytes, or the whole text if the file was rotated meanwhile. */
function textFrom(file: string, start: number): string {
  if (!existsSync(file)) return '';
  const bytes = readFileSync(file);
  return bytes.subarray(bytes.length < start ? 0 : start).toString('utf8');
}
