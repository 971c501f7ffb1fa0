import { assertNever } from '@/lib/base/assert';
import { isRecord } from '@/lib/base/json';
import type { Card, RouterCard } from '@/lib/cards/card';
import { dialectFormOf } from '@/lib/cards/dialects/find-dialect';
import { FolderDraft } from '@/lib/cards/edit/draft';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { relativePath } from '@/lib/cards/references';
import type { Command, FolderChange } from './commands';
import type { Graph, GraphEdge, GraphNode, NodeId } from './graph';
import { canConnect } from './rules';
import { dropWorker, remainsWorker } from './worker-edits';

/** Wires that are drawn or removed on the canvas, as edits of the card they start at. */

/** Connects an agent to a child, a server, a function tool or a built-in. Returns an Issue for a wire that is not allowed. */
export function connect(folder: Folder, parsed: ParsedFolder, graph: Graph, source: NodeId, target: NodeId): Command {
  const draft = new FolderDraft(folder);
  const verdict = canConnect(graph, parsed, source, target);
  const card = cardOf(graph, parsed, source);
  const to = graph.nodes.find((node) => node.id === target);
  if (!verdict.ok) draft.fail('cannot-connect', card?.file ?? '', verdict.reason);
  else if (card !== undefined && to !== undefined) wire(draft, card, to);
  return draft.changes();
}

/** Lets an agent use a function of a file, which need not be a node yet. */
export function connectFunction(
  folder: Folder,
  parsed: ParsedFolder,
  graph: Graph,
  source: NodeId,
  { file, name }: { readonly file: string; readonly name: string },
): Command {
  const node: GraphNode = { kind: 'function', id: `function:${file}:${name}`, name, file, missing: false };
  const known = graph.nodes.some(({ id }) => id === node.id);
  return connect(folder, parsed, known ? graph : { ...graph, nodes: [...graph.nodes, node] }, source, node.id);
}

/** Removes an edge and its options: filters in the card, delegation options in `callboard.yaml`. */
export function disconnect(folder: Folder, parsed: ParsedFolder, graph: Graph, edgeId: string): Command {
  const draft = new FolderDraft(folder);
  const edge = graph.edges.find((other) => other.id === edgeId);
  const card = edge === undefined ? undefined : cardOf(graph, parsed, edge.source);
  const to = graph.nodes.find((node) => node.id === edge?.target);
  if (edge !== undefined && card !== undefined && to !== undefined) {
    unwire(draft, parsed, card, to, edge);
    refuseInherited(folder, draft, card, to);
    const others = graph.edges.some((other) => other !== edge && sameEnds(other, edge));
    const isWorker = remainsWorker(parsed, card.name, to.name, edge.kind);
    if (!others && !isWorker && parsed.settingsFile !== undefined && to.kind === 'agent') {
      draft.prune(parsed.settingsFile, ['delegations', card.name, to.name]);
    }
  }
  return draft.changes();
}

/** A wire that is there by the rules of another program, whatever the fields of the file say, is removed by no edit. */
function refuseInherited(folder: Folder, draft: FolderDraft, card: Card, to: GraphNode): void {
  const form = dialectFormOf(card.file);
  const changed = draft.changes();
  if (form === undefined || !changed.ok) return;
  if (changed.value.size > 0 && !hasServer(folder, changed.value, card.file, to)) return;
  draft.fail('cannot-edit', card.file, form.noPlace(to.kind === 'agent' ? 'agents' : 'servers', {}));
}

/** True if the agent of a file still has the server after a change. */
function hasServer(folder: Folder, changes: FolderChange, file: string, to: GraphNode): boolean {
  if (to.kind !== 'server') return false;
  const after = new Map(folder);
  for (const [path, text] of changes) {
    if (text === null) after.delete(path);
    else after.set(path, { kind: 'text', text });
  }
  const card = readFolder(after).cards.find((other) => other.file === file);
  return card?.type === 'agent' && card.servers.includes(to.name);
}

/** Removes an agent's name from every field of a card. A required list stays, empty, for the author to fill in. */
export function dropReferences(draft: FolderDraft, card: Card, name: string): void {
  for (const field of ['agents', 'sequence', 'fan_out']) {
    for (;;) {
      const list = draft.read(card.file, [field]);
      const index = Array.isArray(list) ? list.indexOf(name) : -1;
      if (index === -1) break;
      dropEntry(draft, card, field, index);
    }
  }
  for (const field of ['fan_in', 'generator', 'evaluator', 'worker']) {
    if (draft.read(card.file, [field]) === name) draft.card(card.file, { op: 'remove', path: [field] });
  }
}

function wire(draft: FolderDraft, card: Card, to: GraphNode): void {
  switch (to.kind) {
    case 'agent':
      wireAgent(draft, card, to.name);
      break;
    case 'server':
      append(draft, card, 'servers', to.name);
      break;
    case 'function':
      append(draft, card, 'function_tools', `${relativePath(card.file, to.file)}:${to.name}`);
      break;
    case 'builtin':
      draft.card(card.file, { op: 'set', path: [to.name], value: true });
      break;
    default:
      assertNever(to);
  }
}

function wireAgent(draft: FolderDraft, card: Card, name: string): void {
  switch (card.type) {
    case 'agent':
    case 'router':
    case 'orchestrator':
    case 'iterative_planner':
      append(draft, card, 'agents', name);
      break;
    case 'chain':
      append(draft, card, 'sequence', name);
      break;
    case 'parallel':
      append(draft, card, 'fan_out', name);
      break;
    case 'evaluator_optimizer':
      draft.card(card.file, { op: 'set', path: [card.generator === '' ? 'generator' : 'evaluator'], value: name });
      break;
    case 'MAKER':
      draft.card(card.file, { op: 'set', path: ['worker'], value: name });
      break;
    case 'a2a':
      break;
    default:
      assertNever(card);
  }
}

function unwire(draft: FolderDraft, parsed: ParsedFolder, card: Card, to: GraphNode, edge: GraphEdge): void {
  switch (edge.kind) {
    case 'delegation':
    case 'route':
    case 'plan':
      dropNamed(draft, card, 'agents', to.name, occurrence(edge));
      break;
    case 'sequence':
    case 'fan_out':
      dropEntry(draft, card, edge.kind, (edge.order ?? 1) - 1);
      break;
    case 'fan_in':
      draft.card(card.file, { op: 'remove', path: ['fan_in'] });
      break;
    case 'generator':
    case 'evaluator':
    case 'worker':
      draft.card(card.file, { op: 'remove', path: [edge.kind] });
      break;
    case 'may_call':
      dropWorker(draft, parsed, card.name, to.name);
      break;
    case 'uses':
      unwireTool(draft, card, to, occurrence(edge));
      break;
    default:
      assertNever(edge.kind);
  }
}

/** Removes a server, function tool or built-in from a card. `nth` counts equal entries, from 1. */
export function unwireTool(draft: FolderDraft, card: Card, to: GraphNode, nth: number): void {
  switch (to.kind) {
    case 'server':
      if (card.type === 'agent' || card.type === 'router') unwireServer(draft, card, to.name, nth);
      break;
    case 'function': {
      if (card.type !== 'agent') break;
      const specs = card.functionTools.filter((spec) => spec.file === to.file && spec.functionName === to.name);
      dropNamed(draft, card, 'function_tools', specs[nth - 1]?.entrypoint ?? '', 1);
      break;
    }
    case 'builtin':
      draft.card(card.file, { op: 'remove', path: [to.name] });
      break;
    case 'agent':
      break;
    default:
      assertNever(to);
  }
}

function unwireServer(
  draft: FolderDraft,
  card: Extract<Card, { type: 'agent' }> | RouterCard,
  name: string,
  nth: number,
): void {
  dropNamed(draft, card, 'servers', name, nth);
  const targets = draft.read(card.file, ['mcp_connect']);
  if (Array.isArray(targets)) {
    const written = targets.findIndex((entry) => isRecord(entry) && entry.name === name);
    const known = card.type === 'agent' ? card.mcpConnect.findIndex((entry) => entry.name === name) : -1;
    if (written !== -1 || known !== -1) dropEntry(draft, card, 'mcp_connect', written === -1 ? known : written);
  } else if (isRecord(targets)) draft.prune(card.file, ['mcp_connect', name]);
  const left = draft.read(card.file, ['servers']);
  if (Array.isArray(left) && left.includes(name)) return;
  for (const filter of ['tools', 'resources', 'prompts']) draft.prune(card.file, [filter, name]);
}

/** Appends to a list field. */
function append(draft: FolderDraft, card: Card, field: string, value: string): void {
  const list = draft.read(card.file, [field]);
  const index = Array.isArray(list) ? list.length : typeof list === 'string' && list !== '' ? 1 : 0;
  draft.card(card.file, { op: 'insert', path: [field], index, value });
}

/** Removes the nth entry with a name. The field may also be a single string. */
function dropNamed(draft: FolderDraft, card: Card, field: string, name: string, nth: number): void {
  const list = draft.read(card.file, [field]);
  if (typeof list === 'string' && list.trim() === name) draft.card(card.file, { op: 'remove', path: [field] });
  if (!Array.isArray(list)) return;
  const places = list.flatMap((item: unknown, index) => (named(item) === name ? [index] : []));
  const index = places[nth - 1] ?? places[0];
  if (index !== undefined) dropEntry(draft, card, field, index);
}

/** Removes an entry. With the last entry an optional field is removed; a required field stays, empty. */
function dropEntry(draft: FolderDraft, card: Card, field: string, index: number): void {
  const list = draft.read(card.file, [field]);
  const required = field === 'sequence' || field === 'fan_out' || (field === 'agents' && card.type !== 'agent');
  const only = Array.isArray(list) && list.length === 1 && !required;
  draft.card(card.file, { op: 'remove', path: only ? [field] : [field, index] });
}

function named(item: unknown): string | undefined {
  if (typeof item === 'string') return item.trim();
  return isRecord(item) && typeof item.entrypoint === 'string' ? item.entrypoint.trim() : undefined;
}

/** Returns the number of an edge among equal ones. Equal edges are numbered `#2`, `#3` in the order of their entries. */
export function occurrence(edge: GraphEdge): number {
  const base = `${edge.kind}:${edge.source}→${edge.target}`;
  return edge.id.startsWith(`${base}#`) ? Number(edge.id.slice(base.length + 1)) : 1;
}

function sameEnds(a: GraphEdge, b: GraphEdge): boolean {
  return a.source === b.source && a.target === b.target;
}

function cardOf(graph: Graph, parsed: ParsedFolder, id: NodeId): Card | undefined {
  const node = graph.nodes.find((other) => other.id === id);
  return node?.kind === 'agent' ? parsed.cards.find((card) => card.file === node.file) : undefined;
}
