import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import type { FenceKind } from './fence-kind';

export interface Fence {
  readonly kind: FenceKind;
  /** The start of a command that runs `/bin/sh` as the first process of new namespaces. It is empty without a fence. */
  readonly namespaces: readonly string[];
  /** The start of a command that drops the capabilities which could undo the fence. */
  readonly withoutPowers: readonly string[];
}

const noFence: Fence = { kind: 'none', namespaces: [], withoutPowers: [] };

let found: Fence | undefined;

/** Returns the strongest fence that this system allows. It is tried once per process, in about 10 ms. */
export function systemFence(): Fence {
  found ??= findFence();
  return found;
}

const shell = '/bin/sh';
const common = ['--pid', '--fork', '--kill-child'];
const asUser = ['--user', '--map-current-user'];
/** Capabilities with which root in the new namespace could reach other processes or the machine. */
const powers = ['sys_admin', 'sys_ptrace', 'sys_module', 'sys_rawio', 'sys_boot', 'mknod'];

function findFence(): Fence {
  if (process.platform !== 'linux') return noFence;
  const unshare = findProgram('unshare');
  if (unshare === undefined) return noFence;
  const setpriv = findProgram('setpriv');
  const candidates: Fence[] = [
    { kind: 'hidden', namespaces: [unshare, ...asUser, ...common, '--mount-proc', '--'], withoutPowers: [] },
    { kind: 'unreadable', namespaces: [unshare, ...asUser, ...common, '--'], withoutPowers: [] },
  ];
  if (process.getuid?.() === 0 && setpriv !== undefined) {
    // Root keeps its capabilities for files of other users, because the data folder may belong to one.
    const bounds = `--bounding-set=${powers.map((power) => `-${power}`).join(',')}`;
    const namespaces = [unshare, '--mount', ...common, '--mount-proc', '--'];
    candidates.unshift({ kind: 'hidden', namespaces, withoutPowers: [setpriv, bounds, '--'] });
  }
  return candidates.find(holds) ?? noFence;
}

/** Starts a shell behind the fence. True when it is process 1 and cannot open the environment of this process. */
function holds({ namespaces, withoutPowers }: Fence): boolean {
  const look = `if true </proc/${process.pid}/environ; then echo open; else echo "closed $PPID"; fi`;
  const [program = '', ...args] = [
    ...namespaces,
    shell,
    '-c',
    '"$@"; exit $?',
    'sh',
    ...withoutPowers,
    shell,
    '-c',
    look,
  ];
  const { status, stdout } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { NODE_ENV: 'production' },
    timeout: 5_000,
  });
  return status === 0 && stdout.trim() === 'closed 1';
}

function findProgram(name: string): string | undefined {
  return ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/run/current-system/sw/bin']
    .map((folder) => `${folder}/${name}`)
    .find(isExecutable);
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
