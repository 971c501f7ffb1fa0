import type { Card } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import { readingOf } from '@/lib/cards/project/read-folder';
import { sameValue } from '@/lib/cards/yaml/edit-value';
import type { GraphNode } from '@/lib/graph/graph';
import type { Picture } from './picture';

/** Fields of a card that move no wire and that no other node shows. People type most of their text into them. */
const words: ReadonlySet<string> = new Set(['description', 'instruction', 'model']);

/**
 * Returns the picture after the words of one card have been typed, or `undefined` if more than words has changed. `before` is
 * the folder of `picture`. Only the changed file is read, and one node is made, so this takes the same time in a small and in
 * a large project. The problems stay those of `picture`, because finding them takes a reading of the whole folder.
 */
export function typedPicture(folder: Folder, before: Folder, picture: Picture): Picture | undefined {
  if (picture.stale.size > 0 || picture.parsed !== picture.drawn) return undefined;
  const path = onlyChange(folder, before);
  const [file, was] = [folder.get(path ?? ''), before.get(path ?? '')];
  if (path === undefined || file === undefined || was === undefined) return undefined;
  const card = readingOf(path, file).card?.card;
  const old = readingOf(path, was).card?.card;
  if (card === undefined || old === undefined || !sameButWords(old, card)) return undefined;
  const { parsed, graph } = picture;
  const cards = parsed.cards.map((one) => (one.file === path ? card : one));
  const drawn = { ...parsed, cards };
  const nodes = graph.nodes.map((node) => (isOf(node, path) ? withWords(node, card) : node));
  return {
    ...picture,
    parsed: drawn,
    drawn,
    graph: { ...graph, nodes },
    cards: new Map([...picture.cards].map(([name, one]) => [name, one.file === path ? card : one])),
    nodes: new Map(nodes.map((node) => [node.id, node])),
    good: new Map(picture.good).set(path, file),
  };
}

/** Returns the path of the only file that differs, or `undefined` if there are none or several. */
function onlyChange(folder: Folder, before: Folder): string | undefined {
  if (folder.size !== before.size) return undefined;
  const changed = [...folder].filter(([path, file]) => before.get(path) !== file);
  return changed.length === 1 ? changed[0]?.[0] : undefined;
}

function sameButWords(a: Card, b: Card): boolean {
  const rest = (card: Card) => Object.fromEntries(Object.entries(card).filter(([field]) => !words.has(field)));
  return sameValue(rest(a), rest(b));
}

type AgentFace = Extract<GraphNode, { kind: 'agent' }>;

function isOf(node: GraphNode, file: string): node is AgentFace {
  return node.kind === 'agent' && !node.missing && node.file === file;
}

/** Returns the node itself if it shows none of the words that have changed. */
function withWords(node: AgentFace, card: Card): AgentFace {
  const model = 'model' in card ? card.model : undefined;
  const { description } = card;
  return node.model === model && node.description === description ? node : { ...node, model, description };
}
