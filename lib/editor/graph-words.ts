import type { EdgeKind, GraphEdge, GraphNode, NodeId } from '@/lib/graph/graph';

/** What a screen reader says of a node: `writer, agent`. */
export function nodeLabel(node: GraphNode): string {
  switch (node.kind) {
    case 'agent':
      return `${node.name}, ${node.missing ? 'missing agent' : agentTypeWord(node.type)}`;
    case 'server':
      return `${node.name}, MCP server${node.missing ? ', not configured' : ''}`;
    case 'function':
      return `${node.name}, function tool${node.missing ? ', file missing' : ''}`;
    case 'builtin':
      return `${node.name}, built-in tool`;
  }
}

export function agentTypeWord(type: string): string {
  return type.replaceAll('_', ' ').toLowerCase();
}

/** A short word on the wire. Undefined for delegation and use, which are told by their look alone. */
export function edgeWord(kind: EdgeKind): string | undefined {
  return kind === 'delegation' || kind === 'uses' ? undefined : kind.replace('_', ' ');
}

/** What a screen reader says of an edge: `delegation from lead to writer`. */
export function edgeLabel(edge: GraphEdge): string {
  const name = (id: NodeId) => id.slice(id.indexOf(':') + 1);
  return `${edge.kind.replace('_', ' ')} from ${name(edge.source)} to ${name(edge.target)}`;
}
