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
  return {
    ...picture,
    parsed: drawn,
    drawn,
    graph,
    cards: new Map([...picture.cards].map(([name, one]) => [name, one.file === path ? card : one])),
    nodes: new Map(graph.nodes.map((node) => [node.id, node])),
    good: new Map(picture.good).set(path, file),
  };
}

/** Returns the path of the only file that differs, or `undefined` if there are none or several. */
function onlyChange(folder: Folder, before: Folder): string | undefined {
  if (folder.size !== before.size) return undefined;
  const changed = [...folder].filter(([path, file]) => before.get(path) !== file);
  return changed.length === 1 ? changed[0]?.[0] : undefined;
}
