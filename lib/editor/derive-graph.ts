import type { Card } from '@/lib/cards/card';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { sameValue } from '@/lib/cards/yaml/edit-value';
import type { Graph, GraphNode } from '@/lib/graph/graph';
import { projectGraph } from '@/lib/graph/project';
import { keepEqual, keepEqualValues } from './keep-equal';

/**
 * Returns the graph of a folder. What has not changed since `previous` keeps its identity. When only words of cards have
 * changed, which is most of all typing, no wire is looked at.
 */
export function deriveGraph(
  drawn: ParsedFolder,
  previous: { readonly drawn: ParsedFolder; readonly graph: Graph } | undefined,
): Graph {
  if (previous === undefined) return projectGraph(drawn);
  const worded = sameAround(drawn, previous.drawn) ? cardsWithWords(drawn.cards, previous.drawn.cards) : undefined;
  if (worded === undefined) return keepIdentity(projectGraph(drawn), previous.graph);
  return worded.size === 0 ? previous.graph : withWords(previous.graph, worded);
}

/** Fields of a card that move no wire and that no other node shows. People type most of their text into them. */
const words: ReadonlySet<string> = new Set(['description', 'instruction', 'model']);

export function sameCardButWords(a: Card, b: Card): boolean {
  if (a === b) return true;
  const rest = (card: Card) => Object.fromEntries(Object.entries(card).filter(([field]) => !words.has(field)));
  return sameValue(rest(a), rest(b));
}

/** Returns the graph with the words of some cards, by file. A node that shows none of the new words stays. */
export function withWords(graph: Graph, cards: ReadonlyMap<string, Card>): Graph {
  const nodes = graph.nodes.map((node) => {
    const card = node.kind === 'agent' && !node.missing ? cards.get(node.file) : undefined;
    return node.kind === 'agent' && card !== undefined ? wordedNode(node, card) : node;
  });
  return { ...graph, nodes };
}

type AgentFace = Extract<GraphNode, { kind: 'agent' }>;

function wordedNode(node: AgentFace, card: Card): AgentFace {
  const model = 'model' in card ? card.model : undefined;
  const { description } = card;
  return node.model === model && node.description === description ? node : { ...node, model, description };
}

/** True if the graph depends on nothing outside the cards that has changed. */
function sameAround(a: ParsedFolder, b: ParsedFolder): boolean {
  if (a.settings !== b.settings || a.config !== b.config || a.settingsFile !== b.settingsFile) return false;
  if (a.roles.size !== b.roles.size || a.missingCode.size !== b.missingCode.size) return false;
  for (const [path, role] of a.roles) if (b.roles.get(path) !== role) return false;
  for (const spec of a.missingCode) if (!b.missingCode.has(spec)) return false;
  return true;
}

/** Returns the cards that have other words now, by file, or `undefined` if more than words differs. */
function cardsWithWords(now: readonly Card[], before: readonly Card[]): ReadonlyMap<string, Card> | undefined {
  if (now.length !== before.length) return undefined;
  const changed = new Map<string, Card>();
  for (const [at, card] of now.entries()) {
    const was = before[at];
    if (card === was) continue;
    if (was === undefined || !sameCardButWords(card, was)) return undefined;
    changed.set(card.file, card);
  }
  return changed;
}

function keepIdentity(graph: Graph, previous: Graph): Graph {
  const nodes = keepEqual(graph.nodes, previous.nodes);
  const edges = keepEqual(graph.edges, previous.edges);
  const chains = keepEqualChains(graph.chains, previous.chains);
  const unchanged = nodes === previous.nodes && edges === previous.edges && chains === previous.chains;
  return unchanged ? previous : { nodes, edges, chains };
}

function keepEqualChains(next: Graph['chains'], previous: Graph['chains']): Graph['chains'] {
  const merged = keepEqualValues(new Map(Object.entries(next)), new Map(Object.entries(previous)));
  const unchanged =
    merged.size === Object.keys(previous).length && [...merged].every(([id, chain]) => previous[id] === chain);
  return unchanged ? previous : Object.fromEntries(merged);
}
