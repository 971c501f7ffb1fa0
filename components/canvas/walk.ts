import type { Points } from '@/lib/editor/place-nodes';
import type { Graph, NodeId } from '@/lib/graph/graph';

export type Direction = 'left' | 'right' | 'up' | 'down';

/**
 * Returns the node to which an arrow key leads. Right follows an edge to the nearest target, left to the nearest source. Up
 * and down go to the next node with the same parents or in the same column. At the end of a column of children they go to
 * the child declared next or before. Returns `undefined` if there is no node that way.
 */
export function walk(graph: Graph, points: Points, from: NodeId, direction: Direction): NodeId | undefined {
  const here = points[from];
  if (here === undefined) return undefined;
  const heightTo = (id: NodeId) => (points[id]?.y ?? 0) - here.y;
  const aside = (id: NodeId) => Math.abs((points[id]?.x ?? 0) - here.x);
  const nearest = (ids: readonly NodeId[]) =>
    [...ids].sort((a, b) => Math.abs(heightTo(a)) - Math.abs(heightTo(b)) || aside(a) - aside(b))[0];
  switch (direction) {
    case 'right':
      return nearest(targetsOf(graph, from));
    case 'left':
      return nearest(sourcesOf(graph, from));
    case 'down':
      return nearest(besides(graph, points, from).filter((id) => heightTo(id) > 0)) ?? sibling(graph, from, 1);
    case 'up':
      return nearest(besides(graph, points, from).filter((id) => heightTo(id) < 0)) ?? sibling(graph, from, -1);
  }
}

/**
 * Returns the node that gets the focus when others are removed: a parent of theirs, a child, or the node after them in the
 * list. Returns `undefined` if none is left.
 */
export function nextAfter(graph: Graph, removed: readonly NodeId[]): NodeId | undefined {
  const gone = new Set(removed);
  const stays = (id: NodeId) => !gone.has(id);
  const parent = removed.flatMap((id) => sourcesOf(graph, id)).find(stays);
  const child = removed.flatMap((id) => targetsOf(graph, id)).find(stays);
  const ids = graph.nodes.map(({ id }) => id);
  const at = ids.findIndex((id) => gone.has(id));
  return parent ?? child ?? ids.slice(Math.max(at, 0)).find(stays) ?? ids.findLast(stays);
}

function targetsOf(graph: Graph, id: NodeId): NodeId[] {
  return [...new Set(graph.edges.filter((edge) => edge.source === id).map((edge) => edge.target))];
}

function sourcesOf(graph: Graph, id: NodeId): NodeId[] {
  return [...new Set(graph.edges.filter((edge) => edge.target === id).map((edge) => edge.source))];
}

function sibling(graph: Graph, id: NodeId, step: 1 | -1): NodeId | undefined {
  const [parent] = sourcesOf(graph, id);
  if (parent === undefined) return undefined;
  const siblings = targetsOf(graph, parent);
  return siblings[siblings.indexOf(id) + step];
}

/** Returns nodes with a common source, and nodes in about the same column. */
function besides(graph: Graph, points: Points, id: NodeId): NodeId[] {
  const column = points[id]?.x ?? 0;
  const siblings = sourcesOf(graph, id).flatMap((source) => targetsOf(graph, source));
  const inColumn = graph.nodes
    .map((node) => node.id)
    .filter((other) => Math.abs((points[other]?.x ?? 0) - column) < 160);
  return [...new Set([...siblings, ...inColumn])].filter((other) => other !== id);
}
