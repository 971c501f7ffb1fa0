import type { Card } from '@/lib/cards/card';
import { FolderDraft } from '@/lib/cards/edit/draft';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { Command } from './commands';
import type { Graph, GraphEdge } from './graph';

/**
 * The functions below change what a member does in its workflow, by edits of the workflow's card: its place in the order,
 * and its role.
 */

type Role = 'fan_out' | 'fan_in' | 'generator' | 'evaluator';

const otherRole: Readonly<Partial<Record<GraphEdge['kind'], Role>>> = {
  fan_out: 'fan_in',
  fan_in: 'fan_out',
  generator: 'evaluator',
  evaluator: 'generator',
};

/** Returns the role that the member at the end of an edge could have instead, if there is one. */
export function roleInstead(edge: Pick<GraphEdge, 'kind'>): Role | undefined {
  return otherRole[edge.kind];
}

/** Returns the place of a member among the steps or branches of its workflow, counted from 1. */
export function placeAmong(graph: Graph, edge: GraphEdge): { readonly place: number; readonly of: number } | undefined {
  if (edge.kind !== 'sequence' && edge.kind !== 'fan_out') return undefined;
  const of = graph.edges.filter(({ kind, source }) => kind === edge.kind && source === edge.source).length;
  return { place: edge.order ?? 1, of };
}

/** Moves a step or a branch one place earlier or later. At the end of the list nothing changes. */
export function moveMember(
  folder: Folder,
  parsed: ParsedFolder,
  graph: Graph,
  edgeId: string,
  to: 'earlier' | 'later',
): Command {
  const draft = new FolderDraft(folder);
  const edge = graph.edges.find(({ id }) => id === edgeId);
  const card = edge && workflowOf(graph, parsed, edge);
  const at = edge && placeAmong(graph, edge);
  if (edge !== undefined && card !== undefined && at !== undefined) {
    const next = at.place + (to === 'earlier' ? -1 : 1);
    if (next >= 1 && next <= at.of) {
      draft.card(card.file, { op: 'move', path: [edge.kind], from: at.place - 1, to: next - 1 });
    }
  }
  return draft.changes();
}

/**
 * Gives a member the other role. A branch becomes the fan-in, and the former fan-in takes its place. A fan-in becomes the last
 * branch. Generator and evaluator change places.
 */
export function changeRole(folder: Folder, parsed: ParsedFolder, graph: Graph, edgeId: string): Command {
  const draft = new FolderDraft(folder);
  const edge = graph.edges.find(({ id }) => id === edgeId);
  const card = edge && workflowOf(graph, parsed, edge);
  if (edge !== undefined && card?.type === 'parallel') {
    if (edge.kind === 'fan_out') branchToFanIn(draft, card, (edge.order ?? 1) - 1);
    if (edge.kind === 'fan_in') fanInToBranch(draft, card);
  }
  if (card?.type === 'evaluator_optimizer') {
    fill(draft, card.file, 'generator', card.evaluator);
    fill(draft, card.file, 'evaluator', card.generator);
  }
  return draft.changes();
}

type Parallel = Extract<Card, { type: 'parallel' }>;

function branchToFanIn(draft: FolderDraft, card: Parallel, index: number): void {
  const name = card.fanOut[index];
  if (name === undefined) return;
  const { fanIn } = card;
  if (fanIn === undefined || card.fanOut.includes(fanIn)) {
    draft.card(card.file, { op: 'remove', path: ['fan_out', index] });
  } else draft.card(card.file, { op: 'set', path: ['fan_out', index], value: fanIn });
  draft.card(card.file, { op: 'set', path: ['fan_in'], value: name });
}

function fanInToBranch(draft: FolderDraft, card: Parallel): void {
  const { fanIn, fanOut } = card;
  if (fanIn === undefined) return;
  if (!fanOut.includes(fanIn)) {
    draft.card(card.file, { op: 'insert', path: ['fan_out'], index: fanOut.length, value: fanIn });
  }
  draft.card(card.file, { op: 'remove', path: ['fan_in'] });
}

/** Writes a name, or removes the field when there is none. */
function fill(draft: FolderDraft, file: string, field: string, name: string): void {
  if (name !== '') draft.card(file, { op: 'set', path: [field], value: name });
  else if (draft.read(file, [field]) !== undefined) draft.card(file, { op: 'remove', path: [field] });
}

function workflowOf(graph: Graph, parsed: ParsedFolder, edge: GraphEdge): Card | undefined {
  const node = graph.nodes.find(({ id }) => id === edge.source);
  return node?.kind === 'agent' ? parsed.cards.find(({ file }) => file === node.file) : undefined;
}
