import type { GraphNode } from './graph';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The box a node is drawn in, canvas units. Canvas, layout and thumbnail must agree, so all ask here. */
export function nodeSize(node: GraphNode): Size {
  switch (node.kind) {
    case 'agent':
      return { width: 224, height: 64 };
    case 'server':
    case 'function':
    case 'builtin':
      return { width: 176, height: 48 };
  }
}

export const beadsShown = 6;
export const beadStep = 22;

/** How far a hook chain reaches beyond its agent's right edge; beads past the sixth share one place. */
export function chainWidth(beads: number): number {
  return beads === 0 ? 0 : Math.min(beads, beadsShown + 1) * beadStep + 6;
}
