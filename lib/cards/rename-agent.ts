import type { Issue } from '@/lib/base/issue';
import { isRecord } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { Card } from './card';
import { FolderDraft } from './draft';
import type { Folder } from './folder';
import type { ParsedFolder } from './parsed-folder';
import { readFolder } from './read-folder';
import { isCardFile } from './source';

/** Fields of any card that name other agents, as a list or alone. */
export const agentFields = ['agents', 'sequence', 'fan_out', 'fan_in', 'generator', 'evaluator', 'worker'] as const;

/** As upstream's loader has it: trimmed, spaces become `_`. */
export function normaliseName(name: string): string {
  return name.trim().replaceAll(' ', '_');
}

/**
 * Gives an agent another name: in its card, in every card that refers to it, and in `callboard.yaml` (entry, delegations,
 * toolsets, tool groups, hooks, scripts and their calls, hooks, positions). Only lines that name it change; the card's file keeps its name. Returns the new
 * texts by path. Where two cards share the name, `file` says which one is meant; references then stay with the other.
 */
export function renameAgent(
  folder: Folder,
  from: string,
  to: string,
  file?: string,
): Result<ReadonlyMap<string, string>, Issue> {
  const parsed = readFolder(folder);
  const namesakes = parsed.cards.filter((card) => card.name === from);
  const card = namesakes.find((other) => file === undefined || other.file === file);
  const name = normaliseName(to);
  if (card === undefined) return refuse('unknown-agent', file ?? '', `There is no agent '${from}' to rename.`);
  if (name === from) return ok(new Map());
  if (name === '') return refuse('empty-name', card.file, `Give '${from}' a name with at least one character.`);
  const taken = parsed.cards.find((other) => other.name === name);
  if (taken !== undefined) {
    return refuse(
      'name-taken',
      taken.file,
      `'${name}' is the name of the agent in ${taken.file}. Choose another name.`,
    );
  }
  const draft = new FolderDraft(folder);
  draft.card(card.file, { op: 'set', path: ['name'], value: name });
  if (namesakes.length === 1) {
    const unread = unreadMention(folder, parsed, from);
    if (unread !== undefined) {
      return refuse('cannot-edit', unread, `${unread} cannot be read and may name '${from}'. Mend it before renaming.`);
    }
    for (const other of parsed.cards) renameInCard(draft, other, from, name);
    if (parsed.settingsFile !== undefined) renameInSettings(draft, parsed.settingsFile, from, name);
  }
  const changes = draft.changes();
  if (!changes.ok) return changes;
  return ok(new Map([...changes.value].flatMap(([path, text]) => (text === null ? [] : [[path, text] as const]))));
}

function renameInCard(draft: FolderDraft, card: Card, from: string, to: string): void {
  const text = draft.text(card.file) ?? '';
  // A name with other than ASCII letters may be written with escapes.
  if (!text.includes(from) && !text.includes('\\')) return;
  for (const field of agentFields) {
    const value = draft.read(card.file, [field]);
    if (value === from) draft.card(card.file, { op: 'set', path: [field], value: to });
    if (!Array.isArray(value)) continue;
    for (const [index, item] of value.entries()) {
      if (item === from) draft.card(card.file, { op: 'set', path: [field, index], value: to });
    }
  }
}

function renameInSettings(draft: FolderDraft, file: string, from: string, to: string): void {
  if (draft.read(file, ['entry']) === from) draft.yaml(file, { op: 'set', path: ['entry'], value: to });
  renameKey(draft, file, ['delegations'], from, to);
  const parents = draft.read(file, ['delegations']);
  for (const parent of isRecord(parents) ? Object.keys(parents) : []) {
    renameKey(draft, file, ['delegations', parent], from, to);
  }
  renameKey(draft, file, ['scripts'], from, to);
  renameKey(draft, file, ['agent_hooks'], from, to);
  renameKey(draft, file, ['toolsets'], from, to);
  renameKey(draft, file, ['tool_groups'], from, to);
  renameInLists(draft, file, ['toolsets'], from, to);
  renameInLists(draft, file, ['tool_groups'], from, to);
  renameKey(draft, file, ['canvas', 'positions'], `agent:${from}`, `agent:${to}`);
  renameCalls(draft, file, from, to);
  renameInHooks(draft, file, from, to);
}

/** A leftover of the new name makes room: the agent that is there keeps its options. */
function renameKey(draft: FolderDraft, file: string, path: readonly string[], from: string, to: string): void {
  const value = draft.read(file, path);
  if (!isRecord(value) || !Object.hasOwn(value, from)) return;
  if (Object.hasOwn(value, to)) draft.yaml(file, { op: 'remove', path: [...path, to] });
  draft.yaml(file, { op: 'rename', path: [...path, from], key: to });
}

/** Lists of agents in the settings of tools: `allow_workers`, `workers` and the `agents` of groups. */
function renameInLists(draft: FolderDraft, file: string, path: readonly string[], from: string, to: string): void {
  const value = draft.read(file, path);
  if (!isRecord(value)) return;
  for (const [key, item] of Object.entries(value)) {
    if (!Array.isArray(item)) renameInLists(draft, file, [...path, key], from, to);
    else if (['allow_workers', 'workers', 'agents'].includes(key)) {
      for (const [index, name] of item.entries()) {
        if (name === from) draft.yaml(file, { op: 'set', path: [...path, key, index], value: to });
      }
    }
  }
}

/** Conditions of hooks that name the agent's tool: a guard must not lose what it guards. Globs stay as they are. */
function renameInHooks(draft: FolderDraft, file: string, from: string, to: string): void {
  const prefix = toolPrefix(draft, file);
  const walk = (value: unknown, path: readonly (string | number)[]): void => {
    if (path.includes('when') && path.includes('tool') && value === prefix + from) {
      draft.yaml(file, { op: 'set', path, value: prefix + to });
    }
    if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, [...path, index]);
    if (isRecord(value)) for (const [key, item] of Object.entries(value)) walk(item, [...path, key]);
  };
  walk(draft.read(file, ['run_hooks']), ['run_hooks']);
  walk(draft.read(file, ['agent_hooks']), ['agent_hooks']);
}

function toolPrefix(draft: FolderDraft, file: string): string {
  const naming = draft.read(file, ['tool_naming']);
  return naming === 'plain' ? '' : naming === 'call_' ? 'call_' : 'agent__';
}

/** Calls of scripted turns that name the agent's tool. Edges with a tool name of their own are not concerned. */
function renameCalls(draft: FolderDraft, file: string, from: string, to: string): void {
  const prefix = toolPrefix(draft, file);
  const walk = (value: unknown, path: readonly (string | number)[]): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, [...path, index]);
    if (!isRecord(value)) return;
    if (path.at(-2) === 'calls' && value.tool === prefix + from) {
      draft.yaml(file, { op: 'set', path: [...path, 'tool'], value: prefix + to });
    }
    if (path.at(-2) === 'calls' && value.tool === 'worker_call' && isRecord(value.arguments)) {
      if (value.arguments.worker === from) {
        draft.yaml(file, { op: 'set', path: [...path, 'arguments', 'worker'], value: to });
      }
    }
    for (const [key, item] of Object.entries(value)) if (key !== 'arguments') walk(item, [...path, key]);
  };
  walk(draft.read(file, ['scripts']), ['scripts']);
}

/** A card that cannot be read now but holds the name: its references could not follow. */
function unreadMention(folder: Folder, parsed: ParsedFolder, name: string): string | undefined {
  const read = new Set(parsed.cards.map((card) => card.file));
  for (const [path, role] of parsed.roles) {
    if (role !== 'card' || read.has(path) || !isCardFile(path)) continue;
    const entry = folder.get(path);
    if (entry?.kind === 'text' && entry.text.includes(name)) return path;
  }
  return undefined;
}

function refuse(code: string, file: string, message: string): Result<never, Issue> {
  return err({ code, severity: 'error', stage: 'callboard', file, line: 1, column: 1, message });
}
