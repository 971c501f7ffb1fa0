import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { isExecutable, systemFence } from './fence';
import type { Marker } from './stray-processes';

export interface FencedProcess {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the process, except for the marker. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly mark: Marker;
  readonly stdio: SpawnOptions['stdio'];
}

/** Returns the number of processes that the fence adds to each process group. */
export function fenceProcesses(): number {
  return systemFence().kind === 'none' ? 0 : 2;
}

/**
 * Starts a process for a graph as the leader of a new process group, behind the fence where the system has one:
 *
 *   unshare ──▶ sh, process 1 of the namespaces ──▶ sh without capabilities, replaced by the command
 *
 * When the group is killed, `unshare` and process 1 end, and the kernel then kills everything in the namespaces. Process 1 is
 * a shell because process 1 of a namespace ignores signals without a handler and must reap orphans. The variables of the
 * command (`LD_PRELOAD` …) are set last: set earlier, they would affect programs outside the fence. Throws the error of
 * `spawn` for a command that is not found, with code ENOENT or EACCES.
 */
export function spawnFenced({ command, args, cwd, env, mark, stdio }: FencedProcess): ChildProcess {
  const fence = systemFence();
  const options: SpawnOptions = { cwd, stdio, detached: process.platform !== 'win32', windowsHide: true };
  if (fence.kind === 'none') return spawn(command, [...args], { ...options, env: exactly({ ...env, ...mark }) });
  const program = findCommand(command, env.PATH, cwd);
  const { names, values } = carry(env);
  const [unshare = '', ...rest] = [
    ...[...fence.namespaces, '/bin/sh', '-c', firstProcess, 'sh'],
    ...[...fence.withoutPowers, '/bin/sh', '-c', becomeCommand(names), 'sh'],
    ...[program, ...args],
  ];
  return spawn(unshare, rest, { ...options, env: exactly({ ...values, ...mark }) });
}

/** Runs the remaining arguments and ends with their exit code. Hides the message of the shell about a killed process. */
const firstProcess = 'exec 9>&2 2>/dev/null; (exec "$@" 2>&9 9>&-); exit $?';

/** Matches a name that a shell can export and does not reserve. */
const plainName = /^(?!(?:PPID|UID|EUID|IFS|OPTIND|PS4|SHELLOPTS|BASH\w*)$)[A-Za-z_][A-Za-z0-9_]*$/;

/** Renames variables so that no program reads them before the command; `names` says which ones a shell can export. */
function carry(env: FencedProcess['env']) {
  const given = Object.entries(env).filter(([, value]) => value !== undefined);
  const values = Object.fromEntries(given.map(([name, value], index) => [carrier(index), `${name}=${value}`]));
  return { names: given.map(([name]) => ({ isPlain: plainName.test(name) })), values };
}

function carrier(index: number): string {
  return `CALLBOARD_FENCE_${index}`;
}

function becomeCommand(names: readonly { readonly isPlain: boolean }[]): string {
  const all = names.map(({ isPlain }, index) => ({ isPlain, name: carrier(index) }));
  const odd = all.filter(({ isPlain }) => !isPlain).map(({ name }) => `"$${name}"`);
  const plain = all.filter(({ isPlain }) => isPlain).map(({ name }) => `"$${name}"`);
  return [
    // The shell sets these variables itself.
    'unset PWD OLDPWD SHLVL',
    ...(odd.length > 0 ? [`set -- /usr/bin/env ${odd.join(' ')} "$@"`] : []),
    ...(plain.length > 0 ? [`export ${plain.join(' ')}`] : []),
    ...(all.length > 0 ? [`unset ${all.map(({ name }) => name).join(' ')}`] : []),
    'exec "$@"',
  ].join('; ');
}

/** The types of Next require NODE_ENV in every environment. A process of a graph gets only the given variables. */
function exactly(env: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  return Object.assign(Object.create(null), env);
}

/** Finds a command as execvp does. An absolute path is not checked: the shell reports its faults. */
function findCommand(command: string, searchPath: string | undefined, cwd: string): string {
  if (path.isAbsolute(command)) return command;
  const candidates = command.includes('/')
    ? [path.resolve(cwd, command)]
    : (searchPath ?? '/usr/local/bin:/usr/bin:/bin').split(':').map((folder) => path.resolve(cwd, folder, command));
  const files = candidates.filter(isFile);
  const found = files.find(isExecutable);
  if (found !== undefined) return found;
  const code = files.length > 0 ? 'EACCES' : 'ENOENT';
  throw Object.assign(new Error(`spawn ${command} ${code}`), { code, syscall: `spawn ${command}`, path: command });
}

/** False for a file in an unreadable folder of PATH. */
function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Describes how a process of `spawnFenced` ended. In the fence, a shell reports a signal as exit code 128 plus its number.
 */
export function endingOf(
  code: number | null,
  signal: NodeJS.Signals | null,
): { readonly code: number | null; readonly signal: NodeJS.Signals | null } {
  if (signal !== null || code === null || code <= 128 || systemFence().kind === 'none') return { code, signal };
  for (const [name, number] of Object.entries(constants.signals)) {
    if (number === code - 128) return { code: null, signal: name as NodeJS.Signals };
  }
  return { code, signal };
}
