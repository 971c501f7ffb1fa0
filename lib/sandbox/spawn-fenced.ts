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
  /** All that the process gets, but for the marker. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly mark: Marker;
  readonly stdio: SpawnOptions['stdio'];
}

/** Processes that a fence adds to the group of each one that is started. */
export function fenceProcesses(): number {
  return systemFence().kind === 'none' ? 0 : 2;
}

/**
 * Starts a process of a graph as leader of a group of its own, behind the fence where the system has one:
 *
 *   unshare ──▶ sh, process 1 of the namespaces ──▶ sh without powers, becomes the command
 *
 * `unshare` dies with the group and takes process 1 with it, and the kernel then ends everything in the namespaces. Process
 * 1 is a shell because the first process of a namespace does not get signals that it has no handler for, and has to bury
 * the orphans. The command's own variables (`LD_PRELOAD` …) are set last: before that they would reach programs that are
 * still outside. A command that is not found throws what
 * `spawn` would say, with code ENOENT or EACCES.
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

/** Runs the rest and ends as it ends. What a shell says of a process that a signal ended is nobody's business. */
const firstProcess = 'exec 9>&2 2>/dev/null; (exec "$@" 2>&9 9>&-); exit $?';

/** A name that a shell can export, and does not keep for itself. */
const plainName = /^(?!(?:PPID|UID|EUID|IFS|OPTIND|PS4|SHELLOPTS|BASH\w*)$)[A-Za-z_][A-Za-z0-9_]*$/;

/** Variables under names that no program looks at; `names` says of each whether a shell can export it. */
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
    // What the shell made itself.
    'unset PWD OLDPWD SHLVL',
    ...(odd.length > 0 ? [`set -- /usr/bin/env ${odd.join(' ')} "$@"`] : []),
    ...(plain.length > 0 ? [`export ${plain.join(' ')}`] : []),
    ...(all.length > 0 ? [`unset ${all.map(({ name }) => name).join(' ')}`] : []),
    'exec "$@"',
  ].join('; ');
}

/** Next's types want a NODE_ENV in every environment; a process of a graph gets only what it is given. */
function exactly(env: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  return Object.assign(Object.create(null), env);
}

/** As execvp finds it. Of an absolute path the shell says what is wrong with it. */
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

/** A folder of PATH that may not be read has nothing in it. */
function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** How a process that was started by `spawnFenced` ended: behind the fence a shell reports a signal as 128 and its number. */
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
