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
