import type { EdgeKind, GraphEdge, GraphNode, NodeId } from '@/lib/graph/graph';

/** Returns what a screen reader says for a node, such as `writer, agent`. */
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

/** Returns a short word for the wire, or `undefined` for delegation and use, which have looks of their own. */
export function edgeWord(kind: EdgeKind): string | undefined {
  return kind === 'delegation' || kind === 'uses' ? undefined : kind.replace('_', ' ');
}

/** Returns what a screen reader says for an edge, such as `delegation from lead to writer`. */
export function edgeLabel(edge: GraphEdge): string {
  const name = (id: NodeId) => id.slice(id.indexOf(':') + 1);
  return `${edge.kind.replace('_', ' ')} from ${name(edge.source)} to ${name(edge.target)}`;
}
