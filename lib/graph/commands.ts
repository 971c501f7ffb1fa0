import type { Issue } from '@/lib/base/issue';
import type { Json } from '@/lib/base/json';
import { ok, type Result } from '@/lib/base/result';
import { trimEndOf } from '@/lib/base/trim';
import { normaliseName } from '@/lib/cards/agent-name';
import type { Card, CardType } from '@/lib/cards/card';
import { dialectFormOf } from '@/lib/cards/dialects/find-dialect';
import { fileStem } from '@/lib/cards/edit/agent-file';
import { FolderDraft } from '@/lib/cards/edit/draft';
import { renameAgent as renameInFolder } from '@/lib/cards/edit/rename-agent';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { isAnnotation, placeNotes } from './annotation-lists';
import type { NodeId, Point } from './graph';
import { agentId } from './project';
import { newSettings, settingsFileOf } from './settings-file';
import { usualDirectory, usualFileEnd } from './usual-directory';

/**
 * The edits of the canvas and the inspector, as changes of the folder. Each command takes the current folder and returns
 * new texts by path (`null` removes the file), or an Issue with the reason why it cannot be done. Undo restores the old
 * texts.
 */
export type FolderChange = ReadonlyMap<string, string | null>;
export type Command = Result<FolderChange, Issue>;
type Path = readonly (string | number)[];

/** Adds a card. The default directory is the one with the most cards; in an empty folder it is `agent-cards/`. */
export function addAgent(
  folder: Folder,
  parsed: ParsedFolder,
  agent: {
    readonly name: string;
    readonly type?: CardType;
    readonly position?: Point;
    readonly directory?: string;
  },
): Command {
  const draft = new FolderDraft(folder);
  const name = normaliseName(agent.name);
  const file = freeFile(draft, parsed, agent.directory ?? usualDirectory(parsed), name);
  const taken = parsed.cards.find((card) => card.name === name);
  if (name === '') draft.fail('empty-name', file, 'Give the agent a name with at least one character.');
  if (taken !== undefined) {
    draft.fail('name-taken', taken.file, `'${name}' is the name of the agent in ${taken.file}. Choose another name.`);
  }
  draft.write(file, '---\n---\n');
  draft.card(file, { op: 'set', path: ['type'], value: agent.type ?? 'agent' });
  draft.card(file, { op: 'set', path: ['name'], value: name });
  for (const [field, value] of Object.entries(dialectFormOf(file)?.newFields?.(name) ?? {})) {
    draft.card(file, { op: 'set', path: [field], value });
  }
  if (agent.position !== undefined) place(draft, parsed, { [agentId(name)]: agent.position });
  return draft.changes();
}

/** Saves the positions of nodes and notes in `callboard.yaml`, in whole canvas units. Creates the file if needed. */
export function moveNodes(folder: Folder, parsed: ParsedFolder, positions: Readonly<Record<NodeId, Point>>): Command {
  const draft = new FolderDraft(folder);
  place(draft, parsed, positions);
  return draft.changes();
}

/** Sets a field of an agent's card; `undefined` removes it. */
export function setField(
  folder: Folder,
  parsed: ParsedFolder,
  agent: string,
  path: Path,
  value: Json | undefined,
): Command {
  return inCard(folder, parsed, agent, (draft, { file }) => {
    draft.card(file, value === undefined ? { op: 'remove', path } : { op: 'set', path, value });
  });
}

export function setInstruction(folder: Folder, parsed: ParsedFolder, agent: string, text: string): Command {
  return inCard(folder, parsed, agent, (draft, { file }) => {
    draft.card(file, { op: 'instruction', text });
  });
}

/** Sets options of the edge parent → child in `callboard.yaml`, by path such as `state.down`. `undefined` resets one. */
export function setDelegation(
  folder: Folder,
  parsed: ParsedFolder,
  edge: { readonly parent: string; readonly child: string },
  option: string | readonly string[],
  value: Json | undefined,
): Command {
  const draft = new FolderDraft(folder);
  const path = ['delegations', edge.parent, edge.child, ...(typeof option === 'string' ? [option] : option)];
  if (value !== undefined) editSettings(draft, parsed, path, value);
  else if (parsed.settingsFile !== undefined) draft.prune(parsed.settingsFile, path);
  return draft.changes();
}

/** Renames an agent and every reference to it. `file` identifies the card when two cards have the same name. */
export function renameAgent(folder: Folder, from: string, to: string, file?: string): Command {
  const renamed = renameInFolder(folder, from, to, file);
  return renamed.ok ? ok(new Map(renamed.value)) : renamed;
}

export interface NewServer {
  readonly name: string;
  readonly position?: Point;
  /** Exactly one of `command` and `url` is given. */
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: string;
}

/** Adds an MCP server to the config. Creates `fast-agent.yaml` if needed. */
export function addServer(folder: Folder, parsed: ParsedFolder, server: NewServer): Command {
  const draft = new FolderDraft(folder);
  const file = parsed.config.file ?? 'fast-agent.yaml';
  const name = server.name.trim();
  if (name === '') draft.fail('empty-name', file, 'Give the server a name with at least one character.');
  if (Object.hasOwn(parsed.config.servers, name)) {
    draft.fail('name-taken', file, `A server '${name}' is in ${file} already. Choose another name.`);
  }
  const { command, args = [], env = {}, url } = server;
  const value: Json = {
    ...(url === undefined ? {} : { url }),
    ...(command === undefined ? {} : { command }),
    ...(args.length === 0 ? {} : { args }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
  };
  draft.yaml(file, { op: 'set', path: ['mcp', 'servers', name], value });
  if (server.position !== undefined) place(draft, parsed, { [`server:${name}`]: server.position });
  return draft.changes();
}

function inCard(
  folder: Folder,
  parsed: ParsedFolder,
  agent: string,
  edit: (draft: FolderDraft, card: Card) => void,
): Command {
  const draft = new FolderDraft(folder);
  const card = parsed.cards.find((other) => other.name === agent);
  if (card === undefined) draft.fail('unknown-agent', '', `No card defines '${agent}'. Create it first.`);
  else edit(draft, card);
  return draft.changes();
}

function place(draft: FolderDraft, parsed: ParsedFolder, wanted: Readonly<Record<NodeId, Point>>): void {
  const file = settingsFileOf(parsed);
  placeNotes(draft, file, wanted);
  const positions = Object.fromEntries(Object.entries(wanted).filter(([id]) => !isAnnotation(id)));
  if (Object.keys(positions).length === 0) return;
  const written = draft.read(file, ['canvas', 'positions']);
  const rounded = Object.fromEntries(
    Object.entries(positions).map(([id, { x, y }]) => [id, { x: Math.round(x), y: Math.round(y) }]),
  );
  // The raw value is used and not the parsed one, because one faulty position must not lose the others.
  const kept: Record<string, Json> = isJsonRecord(written) ? written : {};
  const [first] = Object.entries(rounded);
  if (first !== undefined && Object.keys(rounded).length === 1) {
    editSettings(draft, parsed, ['canvas', 'positions', first[0]], first[1]);
  } else editSettings(draft, parsed, ['canvas', 'positions'], { ...kept, ...rounded });
}

function editSettings(draft: FolderDraft, parsed: ParsedFolder, path: Path, value: Json): void {
  draft.yaml(settingsFileOf(parsed), { op: 'set', path, value }, newSettings);
}

function isJsonRecord(value: unknown): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an unused path. Case is ignored, as some file systems do. */
function freeFile(draft: FolderDraft, parsed: ParsedFolder, directory: string, name: string): string {
  const end = usualFileEnd(parsed);
  const stem = fileStem(name) || 'agent';
  const folder = directory === '' ? '' : `${trimEndOf(directory, '/')}/`;
  for (let n = 1; ; n++) {
    const file = `${folder}${stem}${n === 1 ? '' : `-${n}`}${end}`;
    if (!draft.hasAnyCase(file)) return file;
  }
}
