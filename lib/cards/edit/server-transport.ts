import type { Issue } from '@/lib/base/issue';
import type { Json, JsonObject } from '@/lib/base/json';
import type { Result } from '@/lib/base/result';
import { originOf } from '@/lib/base/server-form';
import type { ServerConfig } from '@/lib/cards/config';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { FolderDraft } from './draft';
import { writeList } from './list-edit';

type Change = Result<ReadonlyMap<string, string | null>, Issue>;

const ofPrograms = ['command', 'args', 'env', 'cwd'];
const ofAddresses = ['url', 'headers', 'access_token'];
/** The first values of a new entry, so that the file is always valid. */
const first = { command: 'npx', url: 'http://127.0.0.1:8000/mcp' };

/** Switches a server between a command and a URL: removes the settings of the other kind and adds the required one. */
export function setTransport(
  folder: Folder,
  parsed: ParsedFolder,
  name: string,
  transport: ServerConfig['transport'],
): Change {
  const { draft, file, at } = open(folder, parsed, name);
  const drop = transport === 'stdio' ? ofAddresses : ofPrograms;
  const needed = transport === 'stdio' ? 'command' : 'url';
  // First, because an entry without any key would be written as `{}`.
  if (draft.read(file, [...at, needed]) === undefined) {
    draft.yaml(file, { op: 'set', path: [...at, needed], value: first[needed] });
  }
  for (const key of [...drop, 'transport']) remove(draft, file, [...at, key]);
  // Without the key, a URL is http and a command is stdio.
  if (transport === 'sse') draft.yaml(file, { op: 'set', path: [...at, 'transport'], value: transport });
  return draft.changes();
}

/** Sets a key of a server's entry, or removes it for `undefined`. First expands the shorthand `target`. */
export function setServerKey(
  folder: Folder,
  parsed: ParsedFolder,
  name: string,
  key: string,
  value: Json | undefined,
): Change {
  const { draft, file, at } = open(folder, parsed, name, ['command', 'args', 'url'].includes(key));
  const path = [...at, key];
  if (value === undefined) remove(draft, file, path);
  else draft.yaml(file, { op: 'set', path, value });
  return draft.changes();
}

/** Sets the arguments of a server's command, one by one, so that those that stay keep their text. */
export function setServerArguments(
  folder: Folder,
  parsed: ParsedFolder,
  name: string,
  args: readonly string[],
): Change {
  const { draft, file, at } = open(folder, parsed, name);
  const path = [...at, 'args'];
  if (args.length === 0) remove(draft, file, path);
  else writeList(draft, { file, path, as: 'yaml' }, args);
  return draft.changes();
}

/**
 * Replaces what a pasted entry names. The rest of the server stays, except what belongs to its other transport, the arguments
 * of another command, and the headers and the token for another place: a host, a port, or an address without encryption.
 */
export function replaceServer(folder: Folder, parsed: ParsedFolder, name: string, entry: JsonObject): Change {
  const { draft, file, at } = open(folder, parsed, name);
  const before = parsed.config.servers[name];
  // First, because an entry without any key would be written as `{}`.
  for (const [key, value] of Object.entries(entry)) draft.yaml(file, { op: 'set', path: [...at, key], value });
  const isMoved =
    typeof entry.url !== 'string' || before?.url === undefined || originOf(entry.url) !== originOf(before.url);
  const gone = 'command' in entry ? [...ofAddresses, 'args'] : [...ofPrograms, ...(isMoved ? ofAddresses : [])];
  for (const key of [...gone, 'transport']) if (!(key in entry)) remove(draft, file, [...at, key]);
  return draft.changes();
}

/**
 * Sets the names and values of `env` or `headers`. Entries that stay keep their text; a value that becomes another one is
 * changed in its place.
 */
export function setServerPairs(
  folder: Folder,
  parsed: ParsedFolder,
  name: string,
  key: 'env' | 'headers',
  pairs: readonly (readonly [name: string, value: string])[],
): Change {
  const { draft, file, at } = open(folder, parsed, name, false);
  const path = [...at, key];
  const written = Object.keys(parsed.config.servers[name]?.[key] ?? {});
  if (pairs.length === 0) remove(draft, file, path);
  else if (written.length === pairs.length) {
    // With as many entries as before, an entry with another name is one that was renamed.
    for (const [index, [wanted]] of pairs.entries()) {
      const was = written[index];
      if (was === undefined || was === wanted || pairs.some(([other]) => other === was)) continue;
      draft.yaml(file, { op: 'rename', path: [...path, was], key: wanted });
    }
    setValues(draft, file, path, pairs);
  } else {
    for (const was of written) if (!pairs.some(([wanted]) => wanted === was)) remove(draft, file, [...path, was]);
    setValues(draft, file, path, pairs);
  }
  return draft.changes();
}

function setValues(
  draft: FolderDraft,
  file: string,
  path: readonly string[],
  pairs: readonly (readonly [name: string, value: string])[],
): void {
  for (const [name, value] of pairs) {
    const at = [...path, name];
    if (draft.read(file, at) !== value) draft.yaml(file, { op: 'set', path: at, value });
  }
}

function open(folder: Folder, { config }: ParsedFolder, name: string, spelledOut = true) {
  const draft = new FolderDraft(folder);
  const file = config.file ?? 'fast-agent.yaml';
  const at = ['mcp', 'servers', name];
  const server = config.servers[name];
  if (spelledOut && server !== undefined && draft.read(file, [...at, 'target']) !== undefined) {
    const { transport, command, args, url } = server;
    const written = { transport: transport === 'sse' ? transport : undefined, command, url };
    for (const [key, value] of Object.entries(written)) {
      if (value !== undefined) draft.yaml(file, { op: 'set', path: [...at, key], value });
    }
    if (args.length > 0) draft.yaml(file, { op: 'set', path: [...at, 'args'], value: [...args] });
    // Last, because an entry without any key would be written as `{}`.
    remove(draft, file, [...at, 'target']);
  }
  return { draft, file, at };
}

function remove(draft: FolderDraft, file: string, path: readonly string[]): void {
  if (draft.read(file, path) !== undefined) draft.yaml(file, { op: 'remove', path });
}
