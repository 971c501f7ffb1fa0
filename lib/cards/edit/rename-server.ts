import type { Issue } from '@/lib/base/issue';
import { isRecord } from '@/lib/base/json';
import { err, type Result } from '@/lib/base/result';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import { FolderDraft } from './draft';

/** The fields of a card that have server names as keys. */
const filters = ['tools', 'resources', 'prompts'] as const;

/**
 * Renames an MCP server in the config and its secrets file, in the cards that use or filter it, and in `callboard.yaml`,
 * where a position, a hook, a tool group or a script names it or one of its tools (`time__get_time`). Only lines with the
 * name change. Patterns and code stay unchanged. Returns the new texts by path.
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
  if (!Object.hasOwn(config.servers, from)) {
    return refuse('unknown-server', file, `There is no MCP server '${from}' to rename.`);
  }
  if (name === '') return refuse('empty-name', file, `Give '${from}' a name with at least one character.`);
  if (Object.hasOwn(config.servers, name)) {
    return refuse('name-taken', file, `'${name}' is another MCP server in ${file}. Choose another name.`);
  }
  const draft = new FolderDraft(folder);
  const secrets = [...parsed.roles].flatMap(([path, role]) => (role === 'secrets' ? [path] : []));
  for (const each of [file, ...secrets]) {
    const path = ['mcp', 'servers', from];
    if (draft.read(each, path) !== undefined) draft.yaml(each, { op: 'rename', path, key: name });
  }
  for (const card of parsed.cards) {
    const used = draft.read(card.file, ['servers']);
    for (const [index, each] of (Array.isArray(used) ? used : []).entries()) {
      if (each === from) draft.card(card.file, { op: 'set', path: ['servers', index], value: name });
    }
    for (const field of filters) {
      if (draft.read(card.file, [field, from]) === undefined) continue;
      draft.card(card.file, { op: 'rename', path: [field, from], key: name });
    }
  }
  const { settingsFile } = parsed;
  if (settingsFile !== undefined) renameInSettings(draft, settingsFile, from, name);
  return draft.changes();
}

function renameInSettings(draft: FolderDraft, file: string, from: string, to: string): void {
  const place: Path = ['canvas', 'positions', `server:${from}`];
  if (draft.read(file, place) !== undefined) draft.yaml(file, { op: 'rename', path: place, key: `server:${to}` });
  for (const { path, text } of namesIn(draft.read(file, []), [])) {
    const isServer = keyOf(path) === 'server' && text === from;
    const isTool = keyOf(path) !== 'server' && text.startsWith(`${from}__`);
    if (isServer) draft.yaml(file, { op: 'set', path, value: to });
    else if (isTool) draft.yaml(file, { op: 'set', path, value: to + text.slice(from.length) });
  }
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
