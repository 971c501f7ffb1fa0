import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './process-identity';

/**
 * Ends the Postgres of `cluster`, if one runs, and removes a `postmaster.pid` that would prevent the next start: one without a
 * valid process id (empty, garbage, negative, 1), or with the id of a living process that is not the server of this cluster.
 * A file with the id of a dead process stays: Postgres then checks that no part of the old server is left.
 */
export async function stopServerOf(cluster: string): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', 8_000],
    ['SIGQUIT', 3_000],
    ['SIGKILL', 2_000],
  ] as const) {
    const servers = findServersOf(cluster);
    if (servers.length === 0) break;
    for (const pid of servers) endProcess(pid, signal);
    for (let waited = 0; waited < patienceMs && findServersOf(cluster).length > 0; waited += 25) await sleep(25);
  }
  const pidFile = pidFileOf(cluster);
  const named = readPid(pidFile);
  if (named === undefined || isAnotherProgram(named, cluster)) rmSync(pidFile, { force: true });
}

export function pidFileOf(cluster: string): string {
  return path.join(cluster, 'postmaster.pid');
}

/**
 * Returns the top processes of Postgres that work on this cluster: the server, or processes that a killed server left. On
 * Linux they are found by their working directory, which is the cluster; on other systems by the command line of the
 * process in the pid file.
 */
export function findServersOf(cluster: string): readonly number[] {
  if (process.platform !== 'linux') {
    const named = readPid(pidFileOf(cluster));
    return named !== undefined && runsOn(commandLineOf(named), cluster) ? [named] : [];
  }
  const real = realPath(cluster);
  if (real === undefined) return [];
  const found = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid <= 1 || pid === process.pid) continue;
    if (isPostgresIn(pid, real)) found.set(pid, parentOf(pid));
  }
  return [...found].filter(([, parent]) => !found.has(parent)).map(([pid]) => pid);
}

/** Returns the process id in the first line of the file, if it can be that of a server. */
function readPid(pidFile: string): number | undefined {
  try {
    const [line = ''] = readFileSync(pidFile, 'utf8').split('\n');
    // A server in single-user mode writes its id as a negative number.
    const [, digits] = /^-?(\d{1,10})\s*$/.exec(line) ?? [];
    const pid = Number(digits);
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * True if the process is a Postgres that works in the cluster. Zombie processes have neither link, so they do not count.
 */
function isPostgresIn(pid: number, cluster: string): boolean {
  try {
    if (readlinkSync(`/proc/${pid}/cwd`) !== cluster) return false;
    return path.basename(readlinkSync(`/proc/${pid}/exe`)).startsWith('postgres');
  } catch {
    return false;
  }
}

/** True only if the process certainly lives and does not belong to the cluster. */
function isAnotherProgram(pid: number, cluster: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') {
    const command = commandLineOf(pid);
    return command !== '' && !runsOn(command, cluster);
  }
  try {
    if (readlinkSync(`/proc/${pid}/cwd`) !== realPath(cluster)) return true;
    return !isPostgresIn(pid, realPath(cluster) ?? cluster);
  } catch {
    // The working directory of another user's process is hidden, but its name is not.
    return !nameOf(pid).startsWith('postgres');
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

function parentOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

/** True if the command line works on the cluster. Callboard starts its servers as `…/postgres -D <cluster> -c …`. */
function runsOn(command: string, cluster: string): boolean {
  return /postgres(\.exe)?\S*\s/.test(command) && `${command} `.includes(` -D ${cluster} `);
}

function commandLineOf(pid: number): string {
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? '';
}

function realPath(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch {
    return undefined;
  }
}

function endProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // The process has ended meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
