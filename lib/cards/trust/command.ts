import { sha256 } from '@/lib/base/sha256';

export const commandKinds = ['stdio', 'python', 'shell'] as const;

/**
 * - `stdio`: an MCP server that is started as a process.
 * - `python`: the Python tools and hooks of a folder.
 * - `shell`: an agent whose model may run any command.
 */
export type CommandKind = (typeof commandKinds)[number];

/** Something that starts a process. Where accounts are on, an administrator approves it before it starts. */
export interface Command {
  readonly kind: CommandKind;
  /** The name of the server or of the agent; of Python the first file. */
  readonly name: string;
  /** The program, as in the folder: placeholders are not filled in. Empty for `python` and `shell`. */
  readonly command: string;
  /** The arguments, one by one. For `python` the functions that cards name, such as `tools.py:add`. */
  readonly args: readonly string[];
  /** The working folder, relative to the folder of the project. */
  readonly cwd: string | undefined;
  /** The names of variables in its environment and of those that its settings ask for, sorted. Never values. */
  readonly environment: readonly string[];
  /**
   * The names of variables whose values decide what starts, sorted: those in the program, the arguments, the working folder, and the
   * variables of its environment that may load code. An approval is bound to the values of secrets among them.
   */
  readonly filledBy: readonly string[];
  /** The files of the folder that it may load, at most `mostFiles`. A folder of packages is one entry that ends with `/`. */
  readonly files: readonly CommandFile[];
  /** How many more files there are. The hash covers them too. */
  readonly moreFiles: number;
  /** Users such as `agent 'writer'`, sorted. They are not part of the hash. */
  readonly usedBy: readonly string[];
  /** Where it is declared. `line` counts from 1. Not part of the hash. */
  readonly file: string;
  readonly line: number;
  /** SHA-256 (hex) of everything that decides what starts, with the values of its environment and the content of its files. */
  readonly hash: string;
}

export interface CommandFile {
  readonly path: string;
  /** SHA-256 (hex) of its content; of a folder of packages, of the list of its files. */
  readonly hash: string;
}

export const mostFiles = 200;

/** The version of each secret that a project may use, by name. Another value has another version. */
export type SecretVersions = ReadonlyMap<string, string>;

/**
 * Returns the id under which a command is approved: for one project, and for the present values of the secrets that decide what starts.
 * Whoever copies the command elsewhere, or sets another value, needs another approval.
 */
export function commandId(
  project: string,
  { kind, hash, filledBy }: Pick<Command, 'kind' | 'hash' | 'filledBy'>,
  versions: SecretVersions,
): string {
  const values = filledBy.flatMap((name) => {
    const version = versions.get(name);
    return version === undefined ? [] : [[name, version]];
  });
  const parts = [`${kind} of project`, project, hash, ...(values.length === 0 ? [] : [values])];
  return sha256(new TextEncoder().encode(JSON.stringify(parts)));
}
