import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './process-identity';

/**
 * Ends the Postgres that works on `cluster`, if there is one, and makes room for the next: a `postmaster.pid` that names
 * nothing (empty, garbage, negative, 1) or a living process that is not this cluster's server would keep it from starting.
 * One that names a dead process stays: Postgres then makes sure that no part of the old server is left.
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
 * Processes of Postgres that work on this very cluster and have no parent among them: the server, or what is left of one
 * that was killed. On Linux they are found by their working directory, which Postgres makes the cluster; elsewhere by the
 * command line of the process that the pid file names.
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

/** The first line of the file as the number of a process that could be a server. */
function readPid(pidFile: string): number | undefined {
  try {
    const [line = ''] = readFileSync(pidFile, 'utf8').split('\n');
    // A server in single-user mode writes its number negated.
    const [, digits] = /^-?(\d{1,10})\s*$/.exec(line) ?? [];
    const pid = Number(digits);
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** A zombie has neither link, so it does not count. */
function isPostgresIn(pid: number, cluster: string): boolean {
  try {
    if (readlinkSync(`/proc/${pid}/cwd`) !== cluster) return false;
    return path.basename(readlinkSync(`/proc/${pid}/exe`)).startsWith('postgres');
  } catch {
    return false;
  }
}

/** True only when it is certain that the process is alive and has nothing to do with the cluster. */
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
    // Another account's process keeps its folder to itself, but shows its name.
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

/** Our own servers are started as `…/postgres -D <cluster> -c …`. */
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
    // It ended meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
