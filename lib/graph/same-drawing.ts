import type { Graph, GraphNode } from './graph';

/**
 * True if two graphs differ at most in the words that nodes show of their cards, descriptions and models. Then every node has
 * its size and every wire its way, so a canvas need not look at more than the nodes with other words.
 */
export function sameDrawing(a: Graph, b: Graph): boolean {
  if (a === b) return true;
  if (a.edges !== b.edges || a.chains !== b.chains || a.nodes.length !== b.nodes.length) return false;
  return a.nodes.every((node, at) => sameButWords(node, b.nodes[at]));
}

/** True if two nodes differ at most in a description and a model. */
export function sameButWords(a: GraphNode, b: GraphNode | undefined): boolean {
  if (a === b) return true;
  if (a.kind !== 'agent' || b?.kind !== 'agent') return false;
  return (
    a.id === b.id &&
    a.name === b.name &&
    a.type === b.type &&
    a.file === b.file &&
    a.isDefault === b.isDefault &&
    a.missing === b.missing &&
    a.workflow === b.workflow &&
    a.workers === b.workers
  );
}
