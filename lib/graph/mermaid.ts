import type { EdgeKind, Graph, GraphEdge, GraphNode } from './graph';

/**
 * Writes the graph as a Mermaid flowchart (https://mermaid.js.org/syntax/flowchart.html), for a page that draws it.
 *
 *   agent [name]   workflow [[name · type]]   server [(name)]   function {{name}}   built-in ([name])
 */
export function mermaidOf(graph: Graph): string {
  const ids = new Map(graph.nodes.map((node, index) => [node.id, `n${index + 1}`]));
  const nodes = graph.nodes.map((node) => `  ${ids.get(node.id)}${shapeOf(node)}`);
  const edges = graph.edges.map((edge) => {
    const words = wordsOf(edge);
    const line = dotted.has(edge.kind) ? '-.->' : '-->';
    return `  ${ids.get(edge.source)} ${line}${words === '' ? '' : `|${quoted(words)}|`} ${ids.get(edge.target)}`;
  });
  const missing = graph.nodes.filter((node) => 'missing' in node && node.missing).map(({ id }) => ids.get(id));
  const marks =
    missing.length === 0 ? [] : ['  classDef missing stroke-dasharray: 4 3', `  class ${missing.join(',')} missing`];
  return `${['flowchart LR', ...nodes, ...edges, ...marks].join('\n')}\n`;
}

const dotted: ReadonlySet<EdgeKind> = new Set<EdgeKind>(['uses', 'worker', 'route', 'may_call']);

function shapeOf(node: GraphNode): string {
  switch (node.kind) {
    case 'agent':
      return node.type === 'agent' ? `[${quoted(node.name)}]` : `[[${quoted(`${node.name} · ${node.type}`)}]]`;
    case 'server':
      return `[(${quoted(node.name)})]`;
    case 'function':
      return `{{${quoted(node.name)}}}`;
    case 'builtin':
      return `([${quoted(node.name)}])`;
  }
}

function wordsOf({ kind, order, marks }: GraphEdge): string {
  const name = kind === 'delegation' || kind === 'uses' ? '' : kind.replaceAll('_', ' ');
  return [order === undefined ? name : `${name} ${order}`, ...marks].filter((word) => word !== '').join(', ');
}

/** Writes a text in quotes. Mermaid reads signs that it has a use for as numbers of characters, such as `#34;`. */
function quoted(text: string): string {
  return `"${text.replace(/[#"<>&\r\n]/g, (sign) => `#${sign.charCodeAt(0)};`)}"`;
}
