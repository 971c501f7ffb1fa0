import type { Folder } from '@/lib/cards/folder';
import { readingOf } from '@/lib/cards/project/read-folder';
import { sameCardButWords, withWords } from './derive-graph';
import type { Picture } from './picture';

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
  if (card === undefined || old === undefined || !sameCardButWords(old, card)) return undefined;
  const { parsed } = picture;
  const cards = parsed.cards.map((one) => (one.file === path ? card : one));
  const drawn = { ...parsed, cards };
  const graph = withWords(picture.graph, new Map([[path, card]]));
  const nodes = new Map(picture.nodes);
  for (const [at, node] of graph.nodes.entries()) if (node !== picture.graph.nodes[at]) nodes.set(node.id, node);
  // Of several cards with this name, the map has one.
  const isNamed = picture.cards.get(card.name)?.file === path;
  return {
    ...picture,
    parsed: drawn,
    drawn,
    graph,
    cards: isNamed ? new Map(picture.cards).set(card.name, card) : picture.cards,
    nodes,
    good: new Map(picture.good).set(path, file),
  };
}

/** Returns the path of the only file that differs, or `undefined` if there are none or several. */
function onlyChange(folder: Folder, before: Folder): string | undefined {
  if (folder.size !== before.size) return undefined;
  let only: string | undefined;
  for (const [path, file] of folder) {
    if (before.get(path) === file) continue;
    if (only !== undefined) return undefined;
    only = path;
  }
  return only;
}
