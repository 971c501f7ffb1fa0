import { beadRow, usualRoom } from './bead-row';
import type { Graph, GraphNode } from './graph';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const agentSize: Size = { width: 224, height: 64 };

/** Returns the size of a node in canvas units, the same for canvas, layout and thumbnail. */
export function nodeSize(node: GraphNode): Size {
  switch (node.kind) {
    case 'agent':
      return agentSize;
    case 'server':
    case 'function':
    case 'builtin':
      return { width: 176, height: 48 };
  }
}

/** The width of the sign of a workflow, beyond its right edge. */
export const signWidth = 34;

/** Returns the width of what a node has beyond its right edge: the sign of a workflow, and its hook chain. */
export function outletWidth(graph: Graph, node: GraphNode, room = usualRoom(graph, node.id)): number {
  return signWidthOf(node) + beadRow(graph.chains[node.id] ?? [], room).width;
}

export function signWidthOf(node: GraphNode): number {
  return node.kind === 'agent' && node.workflow?.sign !== undefined ? signWidth : 0;
}
