import { configFiles } from '@/lib/cards/config-files';
import { baseName } from '@/lib/cards/file-role';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { findSecrets } from '@/lib/cards/read/secrets';
import { joinPath } from '@/lib/cards/references';

/**
 * The files of a folder that a process may run. The process works in a copy of the folder and can load any file in it, so
 * every file counts, except text, tables and images outside the folders of the programs that it names: there the name of a file says nothing,
 * because a program may load `notes.md` or `SKILL.md` as code. Data that changes without asking again is kept outside these folders. Cards,
 * tests, callboard.yaml, the config and the secrets file that are in use never count unless a command names them.
 *
 *     node servers/time.mjs ──▶ servers/time.mjs  named
 *                               lib/clock.mjs     may be imported
 *     npx -y some-package   ──▶ nothing, unless the folder contains packages or a word names a file
 */

/** The parts of a command that decide which files it loads. */
export interface Launch {
  /** The command, then its arguments. */
  readonly words: readonly string[];
  /** The values of its environment, because `NODE_OPTIONS=--require ./first.js` loads a file too. */
  readonly values: readonly string[];
  /** The working folder, relative to the folder; `undefined` is the folder itself. */
  readonly cwd: string | undefined;
}

export interface LoadedFiles {
  /** The paths in the command line. */
  readonly named: ReadonlySet<string>;
  /** All paths that may be run or imported. */
  readonly all: ReadonlySet<string>;
}

/**
 * Matches text, tables, logs and images. JSON and YAML count as code, because files such as `package.json` decide what
 * runs.
 */
const inert = /\.(?:md|markdown|txt|rst|csv|tsv|jsonl|ndjson|log|html|css|svg|png|jpe?g|gif|webp|ico|pdf)$/i;
/** Commands that start packages from a registry, not files of the folder. */
const packageRunners: ReadonlySet<string> = new Set(['npx', 'uvx', 'bunx', 'pnpx', 'docker', 'podman']);
/** Matches the files that affect package runners: packages, and settings for registries. */
const packageFile =
  /(?:^|\/)(?:node_modules\/|\.npmrc$|package\.json$|uv\.toml$|pyproject\.toml$|\.docker\/|(?:docker-)?compose\.ya?ml$)/;

export function loadedFiles(
  folder: Folder,
  parsed: Pick<ParsedFolder, 'roles' | 'config'>,
  launches: readonly Launch[],
): LoadedFiles {
  if (launches.length === 0) return { named: new Set(), all: new Set() };
  const { runnable, filesOf } = launchReader(folder, parsed);
  const each = launches.map(filesOf);
  const named = new Set(each.flatMap((one) => [...one.named]));
  const own = each.flatMap(({ files }) => files);
  return { named, all: new Set(each.some(({ reachesAll }) => reachesAll) ? [...runnable, ...own] : own) };
}

/** Tells which files one launch may load. */
export interface LaunchReader {
  /** The files that a process which loads files of the folder may load. */
  readonly runnable: readonly string[];
  /**
   * `named` are the files in the command line. `files` are these and the text and data in the folders of its programs. `reachesAll`: it
   * may load all of `runnable` too.
   */
  filesOf(launch: Launch): {
    readonly named: ReadonlySet<string>;
    readonly files: readonly string[];
    readonly reachesAll: boolean;
  };
}

export function launchReader(folder: Folder, parsed: Pick<ParsedFolder, 'roles' | 'config'>): LaunchReader {
  const secrets = findSecrets(parsed);
  const configs = configFiles(parsed.config);
  const foreign = [...folder.keys()].filter((path) => {
    const role = parsed.roles.get(path);
    if (role === 'config') return !configs.includes(path);
    if (role === 'secrets') return path !== secrets;
    return role !== 'card' && role !== 'settings' && role !== 'fixture';
  });
  const runnable = foreign.filter((path) => !inert.test(path));
  const inertFiles = foreign.filter((path) => inert.test(path));
  /** Returns the text and data in the folders of the programs that a launch names, and in its working folder. */
  const besides = (named: ReadonlySet<string>, { cwd }: Launch) => {
    const own = cwd === undefined ? [] : [joinPath('', cwd) ?? ''];
    const folders = [...own, ...runnable.filter((path) => named.has(path)).map(folderOf)];
    return inertFiles.filter((path) => folders.some((each) => each === '' || path.startsWith(`${each}/`)));
  };
  const stems = new Set(runnable.map(stemOf));
  const hasPackages = runnable.some((path) => packageFile.test(path));
  return {
    runnable,
    filesOf(launch) {
      const named = new Set(namedFiles(launch, folder));
      const reachesAll = named.size > 0 || hasPackages || !isPackageRunner(launch) || namesStem(launch, stems);
      return { named, files: [...new Set([...named, ...besides(named, launch)])], reachesAll };
    },
  };
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Returns the files whose path is a part of a word, relative to the folder or to the working folder of the command. */
function namedFiles({ words, values, cwd }: Launch, folder: Folder): string[] {
  const inside = cwd === undefined ? '' : `${joinPath('', cwd) ?? ''}/`;
  return [...words, ...values].flatMap(partsOf).flatMap((part) => {
    const paths = [joinPath(inside, part), joinPath('', part)];
    return paths.flatMap((path) => (path !== undefined && folder.has(path) ? [path] : []));
  });
}

/** True for a bare command name. A command with a path may be a file of the folder. */
function isPackageRunner({ words: [command = ''] }: Launch): boolean {
  return packageRunners.has(command.replace(/\.(?:cmd|exe)$/i, ''));
}

function namesStem({ words, values }: Launch, stems: ReadonlySet<string>): boolean {
  return [...words.slice(1), ...values].flatMap(partsOf).some((part) => stems.has(stemOf(part)));
}

/** Returns a word and its parts, for words such as `--require=./a.js`, `sh -c "node b.mjs"` and `-v.:/app`. */
function partsOf(word: string): string[] {
  return [word, ...word.split(/[\s"'`=,;:|&()<>]+/)].filter((part) => part !== '');
}

function stemOf(path: string): string {
  return baseName(path)
    .replace(/\.[^.]*$/, '')
    .toLowerCase();
}

/** Returns the folder of packages or tools that contains a path. Such a folder is listed as one item. */
export function bundleOf(path: string): string | undefined {
  return /^(?:.*?\/)?(?:node_modules|\.venv|venv|__pycache__|\.git)\//.exec(path)?.[0];
}

/** True for files that Python may import: sources, native modules, bytecode, path files and archives. */
export function isPythonFile(path: string): boolean {
  return /\.(?:py|pyc|pyd|so|pth|zip|whl|egg)$/i.test(path);
}
