import type { ServerConfig } from '@/lib/cards/config';
import { encodeFile } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { LineFinder } from '@/lib/cards/read/line-finder';
import { type Command, type CommandFile, mostFiles } from './command';
import { bundleOf, isPythonFile, launchReader } from './loaded-files';
import { pythonUses } from './python-uses';
import type { UsedServer } from './used-servers';

type HashBytes = (bytes: Uint8Array) => string;

interface Listed {
  readonly folder: Folder;
  readonly parsed: ParsedFolder;
  readonly servers: readonly UsedServer[];
  readonly lines: LineFinder;
  readonly hash: HashBytes;
}

/**
 * Lists what runs of a folder start as processes, for all cards together: each stdio server with the files that it may load, the Python
 * of the folder as one, and each agent with a shell. Two servers with the same command, environment and files are one.
 */
export function listCommands(listed: Listed): Command[] {
  const files = fileHashes(listed);
  const found = [...serverCommands(listed, files), ...pythonCommand(listed, files), ...shellCommands(listed)];
  const byHash = new Map<string, Command>();
  for (const command of found) {
    const known = byHash.get(command.hash);
    const usedBy = [...new Set([...(known?.usedBy ?? []), ...command.usedBy])].sort();
    byHash.set(command.hash, { ...(known ?? command), usedBy });
  }
  return [...byHash.values()];
}

function serverCommands({ folder, parsed, servers, hash }: Listed, files: FileHashes): Command[] {
  const launches = launchReader(folder, parsed);
  const runnable = new Set(launches.runnable);
  // Servers that may load every file share one list.
  let every: FileList | undefined;
  return servers.flatMap(({ server, usedBy, file, line }): Command[] => {
    if (server.transport !== 'stdio') return [];
    const { command = '', args, cwd, env, roots } = server;
    const words = [command, ...args];
    const { files: loaded, reachesAll } = launches.filesOf({ words, values: Object.values(env), cwd });
    every ??= reachesAll ? files.listOf(launches.runnable) : undefined;
    const own = files.listOf(loaded.filter((path) => !reachesAll || !runnable.has(path)));
    const all = reachesAll && every !== undefined ? joined(every, own) : own;
    return [
      {
        kind: 'stdio',
        name: server.name,
        command,
        args,
        cwd,
        environment: [...new Set([...Object.keys(env), ...askedIn([...words, ...Object.values(env)])])].sort(),
        filledBy: filledBy([...words, cwd ?? ''], env),
        ...shown(all),
        usedBy,
        file,
        line,
        hash: hashOf(hash, 'stdio', command, args, cwd, sorted(env), roots, all.hashes),
      },
    ];
  });
}

function pythonCommand({ folder, parsed, hash }: Listed, files: FileHashes): Command[] {
  const uses = pythonUses(parsed).filter(({ ref }) => folder.has(ref.file));
  const [first] = uses.map(({ ref }) => ref.file).sort();
  if (first === undefined) return [];
  const functions = [...new Set(uses.map(({ ref }) => `${ref.file}:${ref.functionName}`))].sort();
  const all = files.listOf([...folder.keys()].filter(isPythonFile));
  return [
    {
      kind: 'python',
      name: first,
      command: '',
      args: functions,
      cwd: undefined,
      environment: [],
      filledBy: [],
      ...shown(all),
      usedBy: [...new Set(uses.map(({ usedBy }) => usedBy))].sort(),
      file: first,
      line: 1,
      hash: hashOf(hash, 'python', functions, all.hashes),
    },
  ];
}

function shellCommands({ parsed, lines, hash }: Listed): Command[] {
  return parsed.cards.flatMap((card): Command[] => {
    if (card.type !== 'agent' || !card.shell) return [];
    const { name, cwd, file } = card;
    return [
      {
        kind: 'shell',
        name,
        command: '',
        args: [],
        cwd,
        environment: [],
        filledBy: [],
        files: [],
        moreFiles: 0,
        usedBy: [`agent '${name}'`],
        file,
        line: lines.ofKey(file, ['shell']) ?? 1,
        hash: hashOf(hash, 'shell', name, cwd),
      },
    ];
  });
}

interface FileList {
  readonly files: readonly CommandFile[];
  /** Stands for all of `files` in the hash of a command. */
  readonly hashes: readonly string[];
}

interface FileHashes {
  listOf(paths: readonly string[]): FileList;
}

/** Hashes each file once, however many commands may load it. */
function fileHashes({ folder, hash }: Listed): FileHashes {
  const known = new Map<string, string>();
  const hashOfFile = (path: string) => {
    const file = folder.get(path);
    const found = known.get(path) ?? (file === undefined ? '' : hash(encodeFile(file)));
    known.set(path, found);
    return found;
  };
  return {
    listOf(paths) {
      if (paths.length === 0) return { files: [], hashes: [] };
      const bundles = new Map<string, [string, string][]>();
      const files: CommandFile[] = [];
      for (const path of [...new Set(paths)].sort()) {
        const bundle = bundleOf(path);
        const entry: [string, string] = [path, hashOfFile(path)];
        if (bundle === undefined) files.push({ path, hash: entry[1] });
        else if (bundles.get(bundle)?.push(entry) === undefined) bundles.set(bundle, [entry]);
      }
      for (const [path, entries] of bundles) files.push({ path, hash: hashOf(hash, entries) });
      return { files, hashes: [hashOf(hash, files)] };
    },
  };
}

function joined(first: FileList, second: FileList): FileList {
  if (second.files.length === 0) return first;
  return { files: [...first.files, ...second.files], hashes: [...first.hashes, ...second.hashes] };
}

function shown({ files }: FileList): Pick<Command, 'files' | 'moreFiles'> {
  return { files: files.slice(0, mostFiles), moreFiles: Math.max(0, files.length - mostFiles) };
}

function hashOf(hash: HashBytes, ...parts: readonly unknown[]): string {
  return hash(new TextEncoder().encode(JSON.stringify(['callboard command 1', ...parts])));
}

function sorted(env: ServerConfig['env']): readonly (readonly [string, string])[] {
  return Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Matches variables that programs read a credential from. The value of any other variable may decide which code is loaded
 * (`NODE_OPTIONS`, `LD_PRELOAD`, `GIT_SSH_COMMAND`, …): nobody can list all of those.
 */
const credential = /(?:^|_)(?:TOKEN|API_?KEY|KEY|SECRET|PASSWORD|PAT)$/i;

/** Returns the names of variables whose values decide what starts. */
function filledBy(words: readonly string[], env: ServerConfig['env']): string[] {
  const loading = Object.entries(env).flatMap(([name, value]) => (credential.test(name) ? [] : [value]));
  return [...new Set(askedIn([...words, ...loading]))].sort();
}

/** Returns the names in `${NAME}` and `${NAME:default}`. */
function askedIn(words: readonly string[]): string[] {
  return words.flatMap((word) => [...word.matchAll(/\$\{([A-Za-z_]\w*)/g)].map(([, name]) => name ?? ''));
}
