import { assertNever } from '@/lib/base/assert';
import type { Issue } from '@/lib/base/issue';
import { err } from '@/lib/base/result';
import type { Card } from '@/lib/cards/card';
import { mayLackItsFile } from '@/lib/cards/dialects/find-dialect';
import { FolderDraft } from '@/lib/cards/edit/draft';
import { namingFiles } from '@/lib/cards/edit/rename-agent';
import { cannotRead, unreadMentions } from '@/lib/cards/edit/unreadable';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { childTools, type ToolAgents } from '@/lib/cards/read/agent-mentions';
import { dropAnnotations, dropMembers } from './annotation-lists';
import type { Command } from './commands';
import { forgetInSettings } from './forget-agent';
import type { Graph, GraphNode, NodeId } from './graph';
import { dropReferences, unwireTool } from './wires';

/**
 * Removes nodes and everything that refers to them, in one change. For an agent: its card, the references to it and its options
 * in `callboard.yaml`. For a server: its config entry and its filters. For a function tool or a built-in: the entries in
 * cards; code files stay. For a note or a group: its entry in `callboard.yaml`. The error names a file that cannot be read and may
 * name a removed agent.
 */
export function removeNodes(folder: Folder, parsed: ParsedFolder, graph: Graph, ids: readonly NodeId[]): Command {
  const draft = new FolderDraft(folder);
  const wanted = new Set(ids);
  const nodes = graph.nodes.filter((node) => wanted.has(node.id));
  const made = nodes.find((node) => node.kind === 'agent' && mayLackItsFile(node.file));
  if (made?.kind === 'agent') return err(cannotDelete(made.name, made.file));
  const users = usersOf(parsed, graph);
  const gone = new Set(nodes.flatMap((node) => (node.kind === 'agent' ? [node.file] : [])));
  const names = nodes.flatMap((node) =>
    node.kind === 'agent' && isForgotten(parsed, node.name, gone) ? [node.name] : [],
  );
  const unread = unreadNames(folder, gone, names);
  if (unread !== undefined) return err(unread);
  const agents = [...parsed.cards, ...parsed.unread.values()].map(({ name }) => name);
  const settings = parsed.settingsFile === undefined ? undefined : draft.read(parsed.settingsFile, []);
  const tools = childTools(settings, [...agents, ...names]);
  for (const file of gone) if (file !== '') draft.remove(file);
  for (const node of nodes) {
    switch (node.kind) {
      case 'agent':
        if (names.includes(node.name)) forgetAgent(draft, parsed, node.name, { gone, tools });
        break;
      case 'server':
      case 'function':
      case 'builtin':
        forgetTool(draft, parsed, node, users.get(node.id) ?? [], gone);
        break;
      default:
        assertNever(node);
    }
    if (parsed.settingsFile !== undefined) draft.prune(parsed.settingsFile, ['canvas', 'positions', node.id]);
  }
  if (parsed.settingsFile !== undefined) {
    dropAnnotations(draft, parsed.settingsFile, wanted);
    dropMembers(draft, parsed.settingsFile, wanted);
  }
  return draft.changes();
}

/** The main agent of another program is there without its file too. */
function cannotDelete(name: string, file: string): Issue {
  const message = `'${name}' is the main agent, which a folder of this format always has. Empty its instruction, or select the other nodes alone.`;
  return { code: 'cannot-edit', severity: 'error', stage: 'callboard', file, line: 1, column: 1, message };
}

/** False if another card has the same name, because the references now mean that card. */
function isForgotten({ cards }: ParsedFolder, name: string, gone: ReadonlySet<string>): boolean {
  return !cards.some((card) => card.name === name && !gone.has(card.file));
}

/** Returns the Issue of a file that stays, cannot be read, and may have one of these names. */
function unreadNames(folder: Folder, gone: ReadonlySet<string>, names: readonly string[]): Issue | undefined {
  if (names.length === 0) return undefined;
  const rest = new Map([...folder].filter(([path]) => !gone.has(path)));
  const mentionOf = unreadMentions(rest, readFolder(rest), namingFiles);
  for (const name of names) {
    const unread = mentionOf([name]);
    if (unread !== undefined)
      return cannotRead(unread, `and may name '${name}'. Correct it before deleting '${name}'.`);
  }
  return undefined;
}

function forgetAgent(
  draft: FolderDraft,
  parsed: ParsedFolder,
  name: string,
  { gone, tools }: { readonly gone: ReadonlySet<string>; readonly tools: ToolAgents },
): void {
  for (const card of parsed.cards) if (!gone.has(card.file)) dropReferences(draft, card, name);
  if (parsed.settingsFile !== undefined) forgetInSettings(draft, parsed.settingsFile, name, tools);
}

function forgetTool(
  draft: FolderDraft,
  parsed: ParsedFolder,
  node: GraphNode,
  users: readonly Card[],
  gone: ReadonlySet<string>,
): void {
  for (const card of users) if (!gone.has(card.file)) unwireTool(draft, card, node, 1);
  const config = parsed.config.file;
  if (
    node.kind === 'server' &&
    config !== undefined &&
    draft.read(config, ['mcp', 'servers', node.name]) !== undefined
  ) {
    draft.yaml(config, { op: 'remove', path: ['mcp', 'servers', node.name] });
  }
}

/** Returns the cards that use each node. */
function usersOf(parsed: ParsedFolder, graph: Graph): ReadonlyMap<NodeId, readonly Card[]> {
  const cards = new Map(parsed.cards.map((card) => [card.file, card]));
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const users = new Map<NodeId, Card[]>();
  for (const { source, target } of graph.edges) {
    const user = nodes.get(source);
    const card = user?.kind === 'agent' ? cards.get(user.file) : undefined;
    if (card === undefined) continue;
    const known = users.get(target);
    if (known === undefined) users.set(target, [card]);
    else known.push(card);
  }
  return users;
}
