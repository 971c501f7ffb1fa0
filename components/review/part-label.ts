import { hookLabel } from '@/components/hooks/hook-look';
import { edgeLabel, nodeLabel } from '@/lib/editor/graph-words';
import type { GraphPart } from '@/lib/graph/review/graph-parts';
import type { PartChange } from '@/lib/graph/review/merged-graph';

/** Names a part of a drawn graph with what happened to it: `delegation from lead to writer, added`. */
export function partLabel(part: GraphPart, change: PartChange | undefined): string {
  return change === undefined ? partName(part) : `${partName(part)}, ${change}`;
}

export function partName(part: GraphPart): string {
  switch (part.kind) {
    case 'node':
      return nodeLabel(part.node);
    case 'edge':
      return edgeLabel(part.edge);
    case 'bead':
      return `${hookLabel(part.entry)}, of ${part.node.name}`;
  }
}
