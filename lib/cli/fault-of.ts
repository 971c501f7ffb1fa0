import { existsSync } from 'node:fs';
import path from 'node:path';
import { withoutPasswords } from '@/lib/server/log';

/**
 * Returns the message of an error for users, without passwords. Errors of the file system and of the command line get a sentence
 * with the next step. When every address of a host refuses, Node's error has only a code.
 */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const said = optionFault(error) ?? diskFault(error);
  if (said !== undefined) return said;
  const text = error.message === '' && 'code' in error ? String(error.code) : error.message;
  return withoutPasswords(text);
}

/** Options of fast-agent that name cards. */
const cardOptions: ReadonlySet<string> = new Set(['--card', '--agent-cards', '--agent-card']);

/** True for an error of a system call, such as one of the file system. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

/** Returns what is wrong with the options of a command; `undefined` for any other error. */
function optionFault(error: Error): string | undefined {
  const code = 'code' in error ? error.code : undefined;
  if (typeof code !== 'string' || !code.startsWith('ERR_PARSE_ARGS_')) return undefined;
  const [, given = ''] = /'([^']*)'/.exec(error.message) ?? [];
  const [option = given] = given.split(/[ =,]/);
  switch (code) {
    case 'ERR_PARSE_ARGS_UNKNOWN_OPTION':
      if (cardOptions.has(given)) {
        return `There is no option '${given}' here. Name the folder, the card or its address itself, after the command.`;
      }
      return `There is no option '${given}' here. 'callboard --help' lists the options of each command.`;
    case 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL':
      return `'${given}' is not expected here. 'callboard --help' shows how each command is written.`;
    default:
      return error.message.includes('does not take')
        ? `'${option}' takes no value. Leave out what follows it.`
        : `'${option}' needs a value. Write ${option}=VALUE, also for a value that begins with '-'.`;
  }
}

/** Returns what a file or a folder lacks; `undefined` for an error that is not about one. */
function diskFault(error: Error): string | undefined {
  if (!isSystemError(error) || error.path === undefined) return isSystemError(error) ? fullDisk(error) : undefined;
  const file = withoutDraft(error.path);
  switch (error.code) {
    case 'ENOENT':
      return existsSync(path.dirname(file))
        ? `There is no file or folder '${file}'. Check the name.`
        : `There is no '${file}': its folder does not exist. Make it first, or check the name.`;
    case 'EACCES':
    case 'EPERM':
      return `This account has no right to '${file}'. Change its permissions, or name another place.`;
    case 'EROFS':
      return `'${file}' is in a place that cannot be written. Name another place.`;
    case 'EISDIR':
      return `'${file}' is a folder. Name a file.`;
    case 'ENOTDIR':
      return `'${file}' is not in a folder: a part of this path is a file. Check the name.`;
    case 'ENAMETOOLONG':
      return `The name '${file.slice(0, 80)}…' is too long for a file. Check what was given as a name.`;
    default:
      return fullDisk(error) ?? `'${file}' cannot be used (${error.code}). Try again, or name another place.`;
  }
}

function fullDisk({ code, path: file }: NodeJS.ErrnoException): string | undefined {
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const which = file === undefined ? '' : ` that holds '${withoutDraft(file)}'`;
    return `The disk${which} is full. Free some space on it, then try again.`;
  }
  if (code === 'EISDIR') return 'A folder was named where a file is needed. Name a file.';
  return undefined;
}

/** Files are written as a draft beside them. Users know only the file. */
function withoutDraft(file: string): string {
  return file.replace(/(\.lock)?\.\d+-[0-9a-f]{12}\.draft$/, '');
}
