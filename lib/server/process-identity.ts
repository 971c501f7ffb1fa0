import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * One process, told apart from a later one with the same number: systems use numbers again, soon after a restart of the
 * machine above all.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it began, in the system's own words; only good for comparing. Empty where the system does not tell. */
  readonly born: string;
}

/** The process that has this number now. Undefined when there is none, or when it has ended and only waits for its parent. */
export function identify(pid: number): ProcessIdentity | undefined {
  if (!Number.isSafeInteger(pid) || pid < 1) return undefined;
  if (process.platform === 'linux') return identifyByProc(pid);
  if (!isAlive(pid)) return undefined;
  if (process.platform === 'win32') return { pid, born: '' };
  const { stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  const [, state = '', born = ''] = /^(\S+)\s+(.*\S)\s*$/.exec(stdout) ?? [];
  return state === '' || state.startsWith('Z') ? undefined : { pid, born };
}

/** True while that very process lives. */
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

/** proc(5): the name in brackets may hold spaces and brackets; the state follows it, the start in ticks is field 22. */
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

/** Ticks count from the start of the machine, so they mean something only together with it. */
function bootId(): string {
  boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return boot;
}
