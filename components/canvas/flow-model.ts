import { type Edge, type Node, type NodeHandle, Position } from '@xyflow/react';
import { escapeHidden } from '@/lib/base/escape-hidden';
import { edgeLabel, nodeLabel } from '@/lib/editor/graph-words';
import type { Points } from '@/lib/editor/place-nodes';
import { type BeadRow, beadRow, roomAt } from '@/lib/graph/bead-row';
import type { FanWay } from '@/lib/graph/fans';
import type { GraphFlow } from '@/lib/graph/flows';
import type { Graph, GraphEdge, GraphNode, NodeId } from '@/lib/graph/graph';
import type { ChainEntry } from '@/lib/graph/hook-chain';
import { neighboursOf } from '@/lib/graph/neighbours';
import { sameButWords } from '@/lib/graph/same-drawing';
import { nodeSize, type Size, signWidthOf } from '@/lib/graph/size';

/**
 * The description and the model in `node` may be those of before, because `AgentNode` reads them from the store. `tools` is the
 * number of servers, function tools and built-ins that an agent uses.
 */
export type FlowNode = Node<
  {
    readonly node: GraphNode;
    readonly beads: readonly ChainEntry[];
    readonly row: BeadRow;
    readonly tools: number;
  },
  'agent' | 'resource'
>;
/**
 * `gated` is true if answers of branches arrive at the gate of this fan-in, so that no line leads from the workflow to it.
 * `lit` is true if a node at one of its ends is selected.
 */
export type WireEdge = Edge<
  { readonly edge: GraphEdge; readonly way: FanWay | undefined; readonly gated: boolean; readonly lit: boolean },
  'wire'
>;
/** The sizes of the nodes at its ends. `reach` says how far right of the node its handle is. */
export type FlowLineEdge = Edge<
  { readonly flow: GraphFlow; readonly source: Size & { readonly reach: number }; readonly target: Size },
  'flow'
>;
export type FlowEdge = WireEdge | FlowLineEdge;

const noBeads: readonly ChainEntry[] = [];

/**
 * Returns the nodes as React Flow draws them. A node that has not changed keeps its object from `previous`, so that only
 * changed nodes render again.
 */
export function flowNodes(
  graph: Graph,
  points: Points,
  selection: readonly NodeId[],
  previous: readonly { readonly id: string; readonly type?: string | undefined }[],
  hidden: ReadonlyMap<NodeId, unknown> = new Map(),
): FlowNode[] {
  const selected = new Set(selection);
  const near = neighboursOf(graph, selection).nodes;
  const toolsOf = toolCounts(graph.edges);
  const old = new Map(previous.filter(isGraphNode).map((node) => [node.id, node]));
  return graph.nodes.map((node, index) => {
    const position = points[node.id] ?? { x: 0, y: 0 };
    const beads = graph.chains[node.id] ?? noBeads;
    const tools = toolsOf.get(node.id) ?? 0;
    const className = near.has(node.id) ? 'cb-lit' : '';
    const was = old.get(node.id);
    const row = rowOf(graph, node, beads, position.x, points);
    // The canvas has one tab stop: the selected node, or the first.
    const focusable = selection.length === 0 ? index === 0 : selected.has(node.id);
    if (
      was !== undefined &&
      sameButWords(was.data.node, node) &&
      was.data.beads === beads &&
      was.data.tools === tools &&
      was.className === className &&
      was.hidden === hidden.has(node.id) &&
      sameRow(was.data.row, row) &&
      was.selected === selected.has(node.id) &&
      was.focusable === focusable &&
      was.position.x === position.x &&
      was.position.y === position.y
    ) {
      return was;
    }
    return {
      measured: nodeSize(node),
      handles: handlesOf(node, signWidthOf(node) + row.width),
      id: node.id,
      type: node.kind === 'agent' ? 'agent' : 'resource',
      position: { x: position.x, y: position.y },
      data: sameData(was?.data, { node, beads, row, tools }),
      className,
      hidden: hidden.has(node.id),
      selected: selected.has(node.id),
      focusable,
      ariaLabel: escapeHidden(nodeLabel(node)),
    };
  });
}

/** True for nodes of the graph. Notes and frames of groups are no nodes of the graph. */
function isGraphNode(node: { readonly type?: string | undefined }): node is FlowNode {
  return node.type === 'agent' || node.type === 'resource';
}

/** Returns the old object if it has the same values, so that the node is not rendered again. */
function sameData(was: FlowNode['data'] | undefined, data: FlowNode['data']): FlowNode['data'] {
  const same = was?.node === data.node && was.beads === data.beads && was.tools === data.tools;
  return same && sameRow(was.row, data.row) ? was : data;
}

function toolCounts(edges: readonly GraphEdge[]): ReadonlyMap<NodeId, number> {
  const counts = new Map<NodeId, number>();
  for (const { kind, source } of edges) if (kind === 'uses') counts.set(source, (counts.get(source) ?? 0) + 1);
  return counts;
}

const noRow: BeadRow = { shown: [], named: true, hidden: 0, width: 0 };

function rowOf(graph: Graph, node: GraphNode, beads: readonly ChainEntry[], x: number, points: Points): BeadRow {
  if (beads.length === 0) return noRow;
  return beadRow(beads, roomAt(graph, node.id, x + nodeSize(node).width + signWidthOf(node), points));
}

/** True for rows of one chain that are drawn the same way. */
function sameRow(a: BeadRow, b: BeadRow): boolean {
  return a.width === b.width && a.named === b.named && a.shown.length === b.shown.length;
}

const handlePx = 9;

/** Returns where wires start and end, so that nothing has to be measured and edges are in the first picture too. */
function handlesOf(node: GraphNode, reach: number): NodeHandle[] {
  const { width, height } = nodeSize(node);
  const size = { id: null, y: (height - handlePx) / 2, width: handlePx, height: handlePx };
  const target: NodeHandle = { type: 'target', position: Position.Left, x: -handlePx / 2, ...size };
  if (node.kind !== 'agent') return [target];
  const x = width + reach - handlePx / 2;
  return [target, { type: 'source', position: Position.Right, x, ...size }];
}

/** Returns the wires as React Flow draws them. A wire that has not changed keeps its object from `previous`. */
export function wireEdges(
  edges: readonly GraphEdge[],
  ways: ReadonlyMap<string, FanWay>,
  flows: readonly GraphFlow[],
  selectedEdge: string | undefined,
  previous: readonly WireEdge[],
  lit: ReadonlySet<string> = new Set(),
): WireEdge[] {
  const old = new Map(previous.map((edge) => [edge.id, edge]));
  const joined = new Set(flows.flatMap((flow) => (flow.kind === 'join' ? [flow.edge] : [])));
  return edges.map((edge) => {
    const was = old.get(edge.id);
    const selected = edge.id === selectedEdge;
    const way = ways.get(edge.id);
    const gated = joined.has(edge.id);
    const isLit = lit.has(edge.id);
    const kept = was?.data?.edge === edge && was.data.gated === gated && was.data.lit === isLit;
    const same = kept && sameWay(was.data?.way, way);
    if (was !== undefined && same && was.selected === selected) return was;
    return {
      id: edge.id,
      type: 'wire',
      source: edge.source,
      target: edge.target,
      data: { edge, way, gated, lit: isLit },
      selected,
      focusable: false,
      ariaLabel: escapeHidden(edgeLabel(edge)),
    };
  });
}

/** Returns the flows between members as React Flow draws them. Most projects have none. */
export function flowLines(
  graph: Graph,
  points: Points,
  flows: readonly GraphFlow[],
  selectedEdge: string | undefined,
): FlowLineEdge[] {
  if (flows.length === 0) return [];
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  return flows.flatMap((flow) => {
    const [from, to] = [nodes.get(flow.source), nodes.get(flow.target)];
    if (from === undefined || to === undefined) return [];
    const row = rowOf(graph, from, graph.chains[from.id] ?? noBeads, points[from.id]?.x ?? 0, points);
    const reach = signWidthOf(from) + row.width;
    return [
      {
        id: flow.id,
        type: 'flow' as const,
        source: flow.source,
        target: flow.target,
        data: { flow, source: { ...nodeSize(from), reach }, target: nodeSize(to) },
        selected: flow.edge === selectedEdge,
        focusable: false,
        domAttributes: { 'aria-hidden': true },
      },
    ];
  });
}

function sameWay(a: FanWay | undefined, b: FanWay | undefined): boolean {
  const sides = [
    [a?.into, b?.into],
    [a?.outOf, b?.outOf],
  ] as const;
  const hasSameCorners =
    a?.around?.length === b?.around?.length &&
    (a?.around ?? []).every(({ x, y }, index) => x === b?.around?.[index]?.x && y === b?.around?.[index]?.y);
  return hasSameCorners && sides.every(([x, y]) => x?.trunkX === y?.trunkX && x?.gutterY === y?.gutterY);
}
