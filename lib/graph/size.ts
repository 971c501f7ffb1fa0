import type { GraphNode } from './graph';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of a node in canvas units, for canvas, layout and thumbnail alike. */
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

/** The width of a hook chain beyond the right edge of its agent. Beads after the sixth share one position. */
export function chainWidth(beads: number): number {
  return beads === 0 ? 0 : Math.min(beads, beadsShown + 1) * beadStep + 6;
}
