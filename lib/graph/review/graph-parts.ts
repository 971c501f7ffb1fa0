import { oncePer } from '@/lib/base/once-per';
import type { Graph, GraphEdge, GraphNode, NodeId } from '@/lib/graph/graph';
import type { ChainEntry } from '@/lib/graph/hook-chain';
import { isSameAnchor, type ReviewAnchor } from './anchor';
import { comparedPart, type PartIndex } from './compared-part';
import { beadKey, type MergedGraph, type PlacedGraph } from './merged-graph';

/** One node, wire or hook of a drawn graph. */
export type GraphPart =
  | { readonly kind: 'node'; readonly key: NodeId; readonly node: GraphNode }
  | { readonly kind: 'edge'; readonly key: string; readonly edge: GraphEdge }
  | { readonly kind: 'bead'; readonly key: string; readonly node: GraphNode; readonly entry: ChainEntry };

/** Lists every part of a graph: each node with its hooks, then the wires. */
export function graphParts(graph: Graph): readonly GraphPart[] {
  return [
    ...graph.nodes.flatMap((node): GraphPart[] => [
      { kind: 'node', key: node.id, node },
      ...(graph.chains[node.id] ?? []).map(
        (entry): GraphPart => ({ kind: 'bead', key: beadKey(node.id, entry), node, entry }),
      ),
    ]),
    ...graph.edges.map((edge): GraphPart => ({ kind: 'edge', key: edge.id, edge })),
  ];
}

/**
 * Returns what a review calls a part. A function and a built-in belong to the agent that uses them, so a wire to one is a tool or a field
 * of its source.
 */
export function anchorOfPart(part: GraphPart, graph: Graph): ReviewAnchor | undefined {
  switch (part.kind) {
    case 'bead':
      return { kind: 'hook', agent: part.node.name, hook: part.entry.spec };
    case 'edge': {
      const nodes = nodesOf(graph);
      const [from, to] = [nodes.get(part.edge.source), nodes.get(part.edge.target)];
      return from === undefined || to === undefined ? undefined : anchorOfUse(from.name, to);
    }
    case 'node': {
      const { node } = part;
      if (node.kind === 'agent') return { kind: 'agent', agent: node.name };
      if (node.kind === 'server') return { kind: 'server', server: node.name };
      const user = nodesOf(graph).get(firstUsers(graph).get(node.id) ?? '');
      return user === undefined ? undefined : anchorOfUse(user.name, node);
    }
  }
}

function anchorOfUse(agent: string, used: GraphNode): ReviewAnchor {
  switch (used.kind) {
    case 'agent':
    case 'server':
      return { kind: 'edge', from: agent, to: used.name };
    case 'function':
      return { kind: 'tool', agent, tool: used.name };
    case 'builtin':
      return { kind: 'field', agent, field: used.name };
  }
}

const nodesOf = oncePer((graph: Graph) => new Map(graph.nodes.map((node) => [node.id, node])));

const firstUsers = oncePer((graph: Graph) => {
  const users = new Map<NodeId, NodeId>();
  for (const { source, target } of graph.edges) if (!users.has(target)) users.set(target, source);
  return users;
});

/** Finds the parts on which a comment is about something else, or which take none. */
export function otherAnchors({ graph }: MergedGraph, index: PartIndex): PlacedGraph['otherAnchors'] {
  const others: Record<string, ReviewAnchor | null> = {};
  for (const part of graphParts(graph)) {
    const own = anchorOfPart(part, graph);
    const { anchor } = comparedPart(own, index);
    if (own === undefined || (anchor !== undefined && isSameAnchor(own, anchor))) continue;
    others[part.key] = anchor ?? null;
  }
  return others;
}
