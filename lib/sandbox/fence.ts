import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';

/**
 * How processes of a graph (stdio MCP servers, Python, commands of a shell) are kept apart from other processes (Linux):
 *
 *   hidden      a PID namespace with a /proc of its own: other processes are not there
 *   unreadable  a PID namespace and a user namespace, /proc is the machine's: other processes can be seen, not read
 *   none        neither: they can read the environment of every process of the same user
 *
 * With the first two, all processes that a graph process has started end with it, whatever they did to get away.
 */
export type FenceKind = 'hidden' | 'unreadable' | 'none';

export interface Fence {
  readonly kind: FenceKind;
  /** The start of a command that runs `/bin/sh` as the first process of new namespaces; empty without a fence. */
  readonly namespaces: readonly string[];
  /** The start of a command that gives up what could undo the fence. */
  readonly withoutPowers: readonly string[];
}

const noFence: Fence = { kind: 'none', namespaces: [], withoutPowers: [] };

let found: Fence | undefined;

/** What this system allows; tried once in the life of the process, which takes some 10 ms. */
export function systemFence(): Fence {
  found ??= findFence();
  return found;
}

/** For logs and the Settings page: in a word, and what follows from it. */
export function describeFence(kind: FenceKind): { readonly state: string; readonly meaning: string } {
  switch (kind) {
    case 'hidden':
      return {
        state: 'On',
        meaning: 'MCP servers, Python and commands see no other processes, and end with all they started.',
      };
    case 'unreadable':
      return {
        state: 'On, in part',
        meaning:
          'MCP servers, Python and commands see other processes but cannot read their variables, and end with all they started.',
      };
    case 'none':
      return {
        state: 'Off',
        meaning:
          'This system allows no PID namespaces: MCP servers, Python and commands can read the variables of your other processes, and one that hides may outlive its run.',
      };
  }
}

const shell = '/bin/sh';
const common = ['--pid', '--fork', '--kill-child'];
const asUser = ['--user', '--map-current-user'];
/** With these a root in the new namespace could look behind its /proc, into other processes, or into the machine. */
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
    // Root keeps what it may do to files of others: a data folder may be another user's.
    const bounds = `--bounding-set=${powers.map((power) => `-${power}`).join(',')}`;
    const namespaces = [unshare, '--mount', ...common, '--mount-proc', '--'];
    candidates.unshift({ kind: 'hidden', namespaces, withoutPowers: [setpriv, bounds, '--'] });
  }
  return candidates.find(holds) ?? noFence;
}

/** Tries it: whether the shell is the first process, and cannot open this process's environment. */
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
