import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { environment } from './settings/process-env';

/** Identifies a process beyond its id, because systems reuse ids, most often after a restart of the machine. */
export interface ProcessIdentity {
  readonly pid: number;
  /** The start time in the system's own format, only for comparison. It is empty if the system does not tell. */
  readonly born: string;
}

/** Returns the process that has this id now, or `undefined` when there is none, or only a zombie. */
export function identify(pid: number): ProcessIdentity | undefined {
  if (!Number.isSafeInteger(pid) || pid < 1) return undefined;
  if (process.platform === 'linux') return identifyByProc(pid);
  if (!isAlive(pid)) return undefined;
  if (process.platform === 'win32') return { pid, born: '' };
  const { stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { ...environment(), LC_ALL: 'C' },
  });
  const [, state = '', born = ''] = /^(\S+)\s+(.*\S)\s*$/.exec(stdout) ?? [];
  return state === '' || state.startsWith('Z') ? undefined : { pid, born };
}

/** True while this process lives. False for another one with the same id. */
export function stillLives(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.born === identity.born;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Reads /proc/PID/stat, which proc(5) describes: the name in brackets may contain spaces and brackets. The state follows
 * the name; field 22 is the start in ticks.
 */
function identifyByProc(pid: number): ProcessIdentity | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state] = fields;
    if (state === 'Z' || state === 'X') return undefined;
    return { pid, born: `${bootId()} ${fields[19] ?? ''}` };
  } catch {
    return undefined;
  }
}

let boot: string | undefined;

/** Returns the id of the machine's start. It is part of the identity because ticks count from that start. */
function bootId(): string {
  boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return boot;
}
