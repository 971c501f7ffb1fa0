import type { CardType } from '@/lib/cards/card';
import type { EdgeKind, Graph, GraphNode, NodeId, Point } from './graph';
import { nodeSize } from './size';

export interface PictureNode {
  readonly kind: GraphNode['kind'];
  readonly id: NodeId;
  readonly name: string;
  /** The card type, which only agents have. */
  readonly type?: CardType;
  readonly missing: boolean;
  /** Top left corner and size, in canvas units. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PictureEdge {
  readonly id: string;
  readonly kind: EdgeKind;
  readonly source: NodeId;
  readonly target: NodeId;
}

/** A graph for display only. It is plain data, with a position for every node. */
export interface Picture {
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
}

/** Makes a picture. A node without a point is drawn at the origin, but `layoutGraph` returns a point for every node. */
export function pictureOf(graph: Graph, points: Readonly<Record<NodeId, Point>>): Picture {
  return {
    nodes: graph.nodes.map((node) => ({
      kind: node.kind,
      id: node.id,
      name: node.name,
      ...(node.kind === 'agent' ? { type: node.type } : {}),
      missing: node.kind !== 'builtin' && node.missing,
      ...(points[node.id] ?? { x: 0, y: 0 }),
      ...nodeSize(node),
    })),
    edges: graph.edges.map(({ id, kind, source, target }) => ({ id, kind, source, target })),
  };
}
