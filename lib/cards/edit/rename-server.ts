import type { Issue } from '@/lib/base/issue';
import { isRecord } from '@/lib/base/json';
import { err, type Result } from '@/lib/base/result';
import type { Card } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import type { FileRole, ParsedFolder } from '@/lib/cards/parsed-folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import { FolderDraft } from './draft';
import { cannotRead, unreadMentions } from './unreadable';

/** The files that name servers. */
const naming: readonly FileRole[] = ['card', 'config', 'secrets', 'settings'];

/** The fields of a card that have server names as keys. */
const filters = ['tools', 'resources', 'prompts'] as const;

/**
 * Renames an MCP server in the config and its secrets file, in the cards that connect to it, use or filter it, and in
 * `callboard.yaml`, where a position, a hook, a tool group or a script names it or one of its tools (`time__get_time`). A
 * server that cards only name is renamed there. Only lines with the name change. Patterns and code stay unchanged. Returns
 * the new texts by path. The error also names a file that cannot be read and may name the server.
 */
export function renameServer(
  folder: Folder,
  from: string,
  to: string,
): Result<ReadonlyMap<string, string | null>, Issue> {
  const parsed = readFolder(folder);
  const { config } = parsed;
  const name = to.trim();
  const file = config.file ?? 'fast-agent.yaml';
  if (name === from) return new FolderDraft(folder).changes();
  const unread = unreadMentions(folder, parsed, naming)([from]);
  if (unread !== undefined) return err(cannotRead(unread, `and may name '${from}'. Correct it before renaming.`));
  if (!isNamed(parsed, from)) {
    return refuse('unknown-server', file, `There is no MCP server '${from}' to rename.`);
  }
  if (name === '') return refuse('empty-name', file, `Give '${from}' a name with at least one character.`);
  // A name that nothing defines is corrected to that of a server.
  if (isDefined(parsed, from) && isNamed(parsed, name)) {
    const where = Object.hasOwn(config.servers, name) ? ` in ${file}` : '';
    return refuse('name-taken', file, `'${name}' is another MCP server${where}. Choose another name.`);
  }
  const draft = new FolderDraft(folder);
  const secrets = [...parsed.roles].flatMap(([path, role]) => (role === 'secrets' ? [path] : []));
  for (const each of [file, ...secrets]) {
    const path = ['mcp', 'servers', from];
    if (draft.read(each, path) !== undefined) draft.yaml(each, { op: 'rename', path, key: name });
  }
  for (const card of parsed.cards) renameInCard(draft, card, from, name);
  const { settingsFile } = parsed;
  if (settingsFile !== undefined) renameInSettings(draft, settingsFile, from, name);
  return draft.changes();
}

/** True if the config or a card says how to reach the server. */
function isDefined({ config, cards }: ParsedFolder, name: string): boolean {
  const connects = (card: Card) => card.type === 'agent' && card.mcpConnect.some((entry) => entry.name === name);
  return Object.hasOwn(config.servers, name) || cards.some(connects);
}

function isNamed(parsed: ParsedFolder, name: string): boolean {
  const uses = (card: Card) => (card.type === 'agent' || card.type === 'router') && card.servers.includes(name);
  return isDefined(parsed, name) || parsed.cards.some(uses);
}

function renameInCard(draft: FolderDraft, card: Card, from: string, to: string): void {
  const { file } = card;
  if (draft.renameServer(file, from, to)) return;
  const used = draft.read(file, ['servers']);
  const names: readonly unknown[] = Array.isArray(used) ? used : [];
  for (const [index, each] of [...names.entries()].reverse()) {
    if (each !== from) continue;
    const path = ['servers', index];
    draft.card(file, names.includes(to) ? { op: 'remove', path } : { op: 'set', path, value: to });
  }
  const connect = draft.read(file, ['mcp_connect']);
  if (Array.isArray(connect)) {
    // An entry without a name has that of its target. Entries are in the same order as what was read, unless one is faulty.
    const read = card.type === 'agent' && card.mcpConnect.length === connect.length ? card.mcpConnect : connect;
    const index = read.findIndex((entry: unknown) => isRecord(entry) && entry.name === from);
    if (index !== -1) draft.card(file, { op: 'set', path: ['mcp_connect', index, 'name'], value: to });
  } else if (draft.read(file, ['mcp_connect', from]) !== undefined) {
    draft.card(file, { op: 'rename', path: ['mcp_connect', from], key: to });
    if (draft.read(file, ['mcp_connect', to, 'name']) === from) {
      draft.card(file, { op: 'set', path: ['mcp_connect', to, 'name'], value: to });
    }
  }
  for (const field of filters) {
    if (draft.read(file, [field, from]) !== undefined) draft.card(file, { op: 'rename', path: [field, from], key: to });
  }
}

function renameInSettings(draft: FolderDraft, file: string, from: string, to: string): void {
  const place: Path = ['canvas', 'positions', `server:${from}`];
  if (draft.read(file, place) !== undefined) draft.yaml(file, { op: 'rename', path: place, key: `server:${to}` });
  const consent: Path = ['mcp', 'servers', from];
  if (draft.read(file, consent) !== undefined) draft.yaml(file, { op: 'rename', path: consent, key: to });
  for (const { path, text } of membersIn(draft.read(file, ['canvas', 'groups']))) {
    if (text === `server:${from}`) draft.yaml(file, { op: 'set', path, value: `server:${to}` });
  }
  for (const { path, text } of namesIn(draft.read(file, []), [])) {
    const isServer = keyOf(path) === 'server' && text === from;
    const isTool = keyOf(path) !== 'server' && text.startsWith(`${from}__`);
    if (isServer) draft.yaml(file, { op: 'set', path, value: to });
    else if (isTool) draft.yaml(file, { op: 'set', path, value: to + text.slice(from.length) });
  }
}

/** Returns the members of all groups on the canvas. */
function membersIn(groups: unknown): { readonly path: Path; readonly text: string }[] {
  return (Array.isArray(groups) ? groups : []).flatMap((group: unknown, index) => {
    const members = isRecord(group) && Array.isArray(group.members) ? group.members : [];
    return members.flatMap((text: unknown, at) =>
      typeof text === 'string' ? [{ path: ['canvas', 'groups', index, 'members', at], text }] : [],
    );
  });
}

/**
 * Returns the texts under `server`, `tool` and `tools`, single or in a list. Arguments of scripted calls are left out,
 * because they are free text.
 */
function namesIn(value: unknown, path: Path): { readonly path: Path; readonly text: string }[] {
  if (typeof value === 'string') {
    return ['server', 'tool', 'tools'].includes(keyOf(path) ?? '') ? [{ path, text: value }] : [];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => namesIn(item, [...path, index]));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => (key === 'arguments' ? [] : namesIn(item, [...path, key])));
}

/** Returns the last key of a path. Items have the key of their list. */
function keyOf(path: Path): string | undefined {
  return path.findLast((part) => typeof part === 'string');
}

function refuse(code: string, file: string, message: string): Result<never, Issue> {
  return err({ code, severity: 'error', stage: 'callboard', file, line: 1, column: 1, message });
}
