import type { GraphNode } from './graph';

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

/** Returns the width of what an agent has beyond its right edge: its hook chain, or the sign of a workflow. */
export function outletWidth(node: GraphNode, beads: number): number {
  const sign = node.kind === 'agent' && node.workflow?.sign !== undefined ? signWidth : 0;
  return Math.max(sign, chainWidth(beads));
}

export const beadsShown = 6;
export const beadStep = 22;

/** Returns the width of a hook chain beyond the right edge of its agent. Hooks after the sixth share one position. */
export function chainWidth(beads: number): number {
  return beads === 0 ? 0 : Math.min(beads, beadsShown + 1) * beadStep + 6;
}
