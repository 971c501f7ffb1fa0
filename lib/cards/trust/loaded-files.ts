import { baseName } from '@/lib/cards/file-role';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { joinPath } from '@/lib/cards/references';

/**
 * Which files of a folder a process started from it may run. A process runs in a copy of the whole folder and can load
 * whatever lies there, so the rule is wide: every file counts that is not plainly read only as text, data or a picture.
 *
 *     node servers/time.mjs ──▶ servers/time.mjs  named
 *                               lib/clock.mjs     may be imported
 *     npx -y some-package   ──▶ nothing, unless the folder brings packages of its own or a word names a file
 */

/** A started command, as far as it tells what it loads. */
export interface Launch {
  /** The command, then its arguments. */
  readonly words: readonly string[];
  /** Values of its environment: `NODE_OPTIONS=--require ./first.js` loads a file too. */
  readonly values: readonly string[];
  /** Relative to the folder; `undefined`: the folder. */
  readonly cwd: string | undefined;
}

export interface LoadedFiles {
  /** Paths that a command line names. */
  readonly named: ReadonlySet<string>;
  /** Paths that may be run or imported, the named ones among them. */
  readonly all: ReadonlySet<string>;
}

/** Prose, tables, logs and pictures. JSON and YAML count as code: `package.json` and its like decide what runs. */
const inert = /\.(?:md|markdown|txt|rst|csv|tsv|jsonl|ndjson|log|html|css|svg|png|jpe?g|gif|webp|ico|pdf)$/i;
const ownRoles: ReadonlySet<string> = new Set(['card', 'skill', 'config', 'secrets', 'settings']);
/** Start what they fetch from a registry, not what lies in the folder. */
const packageRunners: ReadonlySet<string> = new Set(['npx', 'uvx', 'bunx', 'pnpx', 'docker', 'podman']);
/** What a package runner takes from the folder: packages, and settings that say where packages come from. */
const packageFile =
  /(?:^|\/)(?:node_modules\/|\.npmrc$|package\.json$|uv\.toml$|pyproject\.toml$|\.docker\/|(?:docker-)?compose\.ya?ml$)/;

export function loadedFiles(
  folder: Folder,
  parsed: Pick<ParsedFolder, 'roles'>,
  launches: readonly Launch[],
): LoadedFiles {
  if (launches.length === 0) return { named: new Set(), all: new Set() };
  const runnable = [...folder.keys()].filter((path) => isRunnable(path, parsed));
  const named = new Set(launches.flatMap((launch) => namedFiles(launch, folder)));
  const stems = new Set(runnable.map(stemOf));
  const reached =
    named.size > 0 ||
    runnable.some((path) => packageFile.test(path)) ||
    launches.some((launch) => !isPackageRunner(launch) || namesStem(launch, stems));
  return { named, all: new Set(reached ? [...runnable, ...named] : named) };
}

function isRunnable(path: string, { roles }: Pick<ParsedFolder, 'roles'>): boolean {
  return !inert.test(path) && !ownRoles.has(roles.get(path) ?? '');
}

/** Files whose whole path is a part of a word, from the folder or from the command's own working folder. */
function namedFiles({ words, values, cwd }: Launch, folder: Folder): string[] {
  const inside = cwd === undefined ? '' : `${joinPath('', cwd) ?? ''}/`;
  return [...words, ...values].flatMap(partsOf).flatMap((part) => {
    const paths = [joinPath(inside, part), joinPath('', part)];
    return paths.flatMap((path) => (path !== undefined && folder.has(path) ? [path] : []));
  });
}

/** By its plain name: one with a path may be a file of the folder. */
function isPackageRunner({ words: [command = ''] }: Launch): boolean {
  return packageRunners.has(command.replace(/\.(?:cmd|exe)$/i, ''));
}

function namesStem({ words, values }: Launch, stems: ReadonlySet<string>): boolean {
  return [...words.slice(1), ...values].flatMap(partsOf).some((part) => stems.has(stemOf(part)));
}

/** A word and what it consists of: `--require=./a.js`, `sh -c "node b.mjs"`, `-v.:/app`. */
function partsOf(word: string): string[] {
  return [word, ...word.split(/[\s"'`=,;:|&()<>]+/)].filter((part) => part !== '');
}

function stemOf(path: string): string {
  return baseName(path)
    .replace(/\.[^.]*$/, '')
    .toLowerCase();
}

/** Folders of packages and of tools, which are listed as one: their files are many and nobody reads them one by one. */
export function bundleOf(path: string): string | undefined {
  return /^(?:.*?\/)?(?:node_modules|\.venv|venv|__pycache__|\.git)\//.exec(path)?.[0];
}

/** What Python may import beside sources: native modules, bytecode, path files and archives. */
export function isPythonFile(path: string): boolean {
  return /\.(?:py|pyc|pyd|so|pth|zip|whl|egg)$/i.test(path);
}
