import type { Issue } from '@/lib/base/issue';
import type { Json } from '@/lib/base/json';
import type { Result } from '@/lib/base/result';
import type { ServerConfig } from '@/lib/cards/config';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { FolderDraft } from './draft';

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
  for (const key of [...drop, 'transport']) remove(draft, file, [...at, key]);
  const needed = transport === 'stdio' ? 'command' : 'url';
  if (draft.read(file, [...at, needed]) === undefined) {
    draft.yaml(file, { op: 'set', path: [...at, needed], value: first[needed] });
  }
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

function open(folder: Folder, { config }: ParsedFolder, name: string, spelledOut = true) {
  const draft = new FolderDraft(folder);
  const file = config.file ?? 'fast-agent.yaml';
  const at = ['mcp', 'servers', name];
  const server = config.servers[name];
  if (spelledOut && server !== undefined && draft.read(file, [...at, 'target']) !== undefined) {
    remove(draft, file, [...at, 'target']);
    const { transport, command, args, url } = server;
    const written = { transport: transport === 'sse' ? transport : undefined, command, url };
    for (const [key, value] of Object.entries(written)) {
      if (value !== undefined) draft.yaml(file, { op: 'set', path: [...at, key], value });
    }
    if (args.length > 0) draft.yaml(file, { op: 'set', path: [...at, 'args'], value: [...args] });
  }
  return { draft, file, at };
}

function remove(draft: FolderDraft, file: string, path: readonly string[]): void {
  if (draft.read(file, path) !== undefined) draft.yaml(file, { op: 'remove', path });
}
