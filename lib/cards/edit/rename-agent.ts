import type { Issue } from '@/lib/base/issue';
import { err, ok, type Result } from '@/lib/base/result';
import { normaliseName } from '@/lib/cards/agent-name';
import type { Card } from '@/lib/cards/card';
import { dialectFormOf } from '@/lib/cards/dialects/find-dialect';
import { dialects } from '@/lib/cards/dialects/list';
import type { Folder } from '@/lib/cards/folder';
import type { FileRole, ParsedFolder } from '@/lib/cards/parsed-folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { agentMentions, childTools, mentionText, toolNamingOf } from '@/lib/cards/read/agent-mentions';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import { FolderDraft } from './draft';
import { cannotRead, unreadMentions } from './unreadable';
import { YamlBatch } from './yaml-batch';

/** The fields of cards that name other agents, as a list or a single name. */
export const agentFields = ['agents', 'sequence', 'fan_out', 'fan_in', 'generator', 'evaluator', 'worker'] as const;

/** The files that name agents. */
export const namingFiles: readonly FileRole[] = ['card', 'settings'];

/**
 * Renames an agent in its card, in every card that refers to it, and in `callboard.yaml` (agent-mentions.ts). Only lines
 * with the name change; the file of the card keeps its name, and patterns stay. Returns the new texts by path. When two
 * cards have the name, `file` selects one, and references stay with the other.
 */
export function renameAgent(
  folder: Folder,
  from: string,
  to: string,
  file?: string,
): Result<ReadonlyMap<string, string>, Issue> {
  const parsed = readFolder(folder);
  const isMeant = (card: Card) => card.name === from && (file === undefined || card.file === file);
  const card = parsed.cards.find(isMeant);
  if (card === undefined) return refuse('unknown-agent', file ?? '', `There is no agent '${from}' to rename.`);
  const fault = dialectFormOf(card.file)?.nameFault?.(normaliseName(to));
  if (fault !== undefined && normaliseName(to) !== '') return refuse('cannot-edit', card.file, fault);
  return renameCards(folder, parsed, new Map([[card.file, to]]));
}

/** Renames several agents at once. `names` has the new name of each card by its file. */
export function renameAgents(
  folder: Folder,
  names: ReadonlyMap<string, string>,
): Result<ReadonlyMap<string, string>, Issue> {
  return renameCards(folder, readFolder(folder), names);
}

function renameCards(
  folder: Folder,
  parsed: ParsedFolder,
  names: ReadonlyMap<string, string>,
): Result<ReadonlyMap<string, string>, Issue> {
  const draft = new FolderDraft(folder);
  const followed = new Map<string, string>();
  const cards = new Map(parsed.cards.map((card) => [card.name, card]));
  for (const [file, to] of names) {
    const card = parsed.cards.find((one) => one.file === file);
    if (card === undefined) return refuse('unknown-agent', file, `There is no agent in ${file} to rename.`);
    const name = normaliseName(to);
    if (name === card.name) continue;
    if (name === '') return refuse('empty-name', file, `Give '${card.name}' a name with at least one character.`);
    const taken = cards.get(name);
    if (taken !== undefined) {
      const why = `'${name}' is the name of the agent in ${taken.file}. Choose another name.`;
      return refuse('name-taken', taken.file, why);
    }
    draft.card(file, { op: 'set', path: ['name'], value: name });
    const isShared = parsed.cards.some((other) => other !== card && other.name === card.name);
    if (!isShared) followed.set(card.name, name);
  }
  const mentionOf = unreadMentions(folder, parsed, namingFiles);
  for (const name of followed.keys()) {
    const unread = mentionOf([name]);
    if (unread !== undefined) return err(cannotRead(unread, `and may name '${name}'. Correct it before renaming.`));
  }
  followNames(draft, folder, parsed, followed);
  return textsOf(draft);
}

/**
 * Lets references follow a name that was changed in the text of `file`: other cards and `callboard.yaml` named the agent
 * `from`. Nothing changes when the card cannot be read, when another card has the old name, to which the references belong, or
 * when the new name is that of another card. The error names an unreadable file that may have references.
 */
export function followName(folder: Folder, file: string, from: string): Result<ReadonlyMap<string, string>, Issue> {
  const parsed = readFolder(folder);
  const to = parsed.cards.find((card) => card.file === file)?.name;
  const isShared = parsed.cards.some((card) => card.file !== file && (card.name === from || card.name === to));
  if (to === undefined || to === from || isShared) return ok(new Map());
  const unread = unreadMentions(folder, parsed, namingFiles)([from]);
  if (unread !== undefined) {
    const then = `and may name '${from}', so no reference was changed to '${to}'.`;
    return err(cannotRead(unread, `${then} Correct it, then undo and type the name again.`));
  }
  const draft = new FolderDraft(folder);
  followNames(draft, folder, parsed, new Map([[from, to]]));
  return textsOf(draft);
}

/** Changes the references to agents. `names` has the new names by the old ones. */
function followNames(
  draft: FolderDraft,
  folder: Folder,
  parsed: ParsedFolder,
  names: ReadonlyMap<string, string>,
): void {
  if (names.size === 0) return;
  const dialect = dialects.find(({ id }) => id === parsed.dialect);
  if (dialect?.withRenamedAgents !== undefined) {
    const now = new Map(folder);
    for (const { file } of parsed.cards) {
      const text = draft.text(file);
      if (text !== undefined) now.set(file, { kind: 'text', text });
    }
    for (const [file, text] of dialect.withRenamedAgents(now, names)) draft.write(file, text);
  }
  for (const card of parsed.cards) renameInCard(draft, card, names);
  if (parsed.settingsFile !== undefined) renameInSettings(draft, parsed, parsed.settingsFile, names);
}

function textsOf(draft: FolderDraft): Result<ReadonlyMap<string, string>, Issue> {
  const changes = draft.changes();
  if (!changes.ok) return changes;
  return ok(new Map([...changes.value].flatMap(([path, text]) => (text === null ? [] : [[path, text] as const]))));
}

function renameInCard(draft: FolderDraft, card: Card, names: ReadonlyMap<string, string>): void {
  const text = draft.text(card.file) ?? '';
  // A name with non-ASCII letters may be written with escapes.
  if (!text.includes('\\') && ![...names.keys()].some((name) => text.includes(name))) return;
  for (const field of agentFields) {
    const value = draft.read(card.file, [field]);
    const places = Array.isArray(value) ? value.map((item, index) => ({ item, path: [field, index] })) : [];
    for (const { item, path } of [{ item: value, path: [field] }, ...places]) {
      const to = typeof item === 'string' ? names.get(item) : undefined;
      if (to !== undefined) draft.card(card.file, { op: 'set', path, value: to });
    }
  }
}

function renameInSettings(
  draft: FolderDraft,
  { cards, unread }: ParsedFolder,
  file: string,
  names: ReadonlyMap<string, string>,
): void {
  const settings = draft.read(file, []);
  const naming = toolNamingOf(settings);
  const agents = new Set([...cards, ...unread.values()].map(({ name }) => name));
  const tools = childTools(settings, new Set([...agents, ...names.keys()]));
  const batch = new YamlBatch(file, draft.text(file) ?? '');
  for (const mention of agentMentions(settings, tools)) {
    const to = names.get(mention.agent);
    if (to === undefined) continue;
    const { path } = mention;
    const text = mentionText(mention, to, naming);
    if (text === undefined) continue;
    if (mention.as !== 'key' && mention.as !== 'node') batch.yaml(file, { op: 'set', path, value: text });
    else renameKey(batch, file, path, text);
  }
  draft.yamlAll(file, batch.edits);
}

/** Renames a key. Replaces unused options under the new name, because the existing agent keeps its own. */
function renameKey(batch: YamlBatch, file: string, path: Path, key: string): void {
  const leftover = [...path.slice(0, -1), key];
  if (batch.read(file, leftover) !== undefined) batch.yaml(file, { op: 'remove', path: leftover });
  batch.yaml(file, { op: 'rename', path, key });
}

function refuse(code: string, file: string, message: string): Result<never, Issue> {
  return err({ code, severity: 'error', stage: 'callboard', file, line: 1, column: 1, message });
}
