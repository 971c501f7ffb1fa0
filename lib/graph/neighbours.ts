import type { Graph, NodeId } from './graph';

/** What is next to some nodes: the nodes one wire away, and the wires to them. */
export interface Neighbours {
  readonly nodes: ReadonlySet<NodeId>;
  readonly edges: ReadonlySet<string>;
}

const none: Neighbours = { nodes: new Set(), edges: new Set() };

/** Returns the neighbours of the chosen nodes. With more than a few chosen nodes there are none to point out. */
export function neighboursOf(graph: Pick<Graph, 'edges'>, chosen: readonly NodeId[]): Neighbours {
  if (chosen.length === 0 || chosen.length > mostChosen) return none;
  const from = new Set(chosen);
  const nodes = new Set<NodeId>();
  const edges = new Set<string>();
  for (const { id, source, target } of graph.edges) {
    if (!from.has(source) && !from.has(target)) continue;
    edges.add(id);
    for (const end of [source, target]) if (!from.has(end)) nodes.add(end);
  }
  return { nodes, edges };
}

const mostChosen = 8;
