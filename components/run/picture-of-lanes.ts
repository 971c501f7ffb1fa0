import type { Picture, PictureEdge, PictureNode } from '@/lib/graph/picture';
import { agentSize } from '@/lib/graph/size';
import { spanDetail, spanName, type Trace } from '@/lib/trace/trace';
import { callKey } from './run-graph-calls';

/** More boxes than this make a page slow, and nobody reads them. */
const mostBoxes = 300;
const toolSize = { width: 176, height: 48 };
const columnGap = 96;
const rowGap = 24;

interface Found {
  readonly node: Pick<PictureNode, 'kind' | 'id' | 'name'>;
  readonly column: number;
  /** What it was the first to call. */
  readonly children: Found[];
  y: number;
}

/**
 * Makes a graph of what ran: agents, the servers and functions that they called, and who called whom. It is for runs that come
 * without the files of their agents. Each box is right of the one that called it first, and beside the middle of those that it
 * called itself.
 *
 *               ┌ writer ┐
 *   ┌ lead ┐──▶ └────────┘
 *   └──────┘──▶ ┌ critic ┐──▶ ┌ search ┐
 *               └────────┘    └────────┘
 */
export function pictureOfLanes(trace: Trace): { readonly picture: Picture; readonly leftOut: number } {
  const graph = new FoundGraph();
  for (const lane of trace.lanes) {
    const parent = lane.parent === undefined ? undefined : trace.lanes[lane.parent]?.agentName;
    graph.add('agent', lane.agentName, parent, 'delegation');
  }
  const { spans } = trace;
  for (let span = 0; span < spans.length; span++) {
    if (spans.kindOf(span) !== 'tool' || spans.has(span, 'refused')) continue;
    const source = spans.sourceOf(span);
    const caller = trace.lanes[spans.lane.at(span)]?.agentName;
    if (source === 'mcp') graph.add('server', spanDetail(trace, span) || spanName(trace, span), caller, 'uses');
    if (source === 'function') graph.add('function', spanName(trace, span), caller, 'uses');
  }
  placeRows(graph.tops);
  const nodes = [...graph.found.values()].map(({ node, column, y }): PictureNode => {
    const size = node.kind === 'agent' ? agentSize : toolSize;
    const place = { x: column * (agentSize.width + columnGap), y: y + (agentSize.height - size.height) / 2 };
    return { ...node, ...(node.kind === 'agent' && { type: 'agent' as const }), missing: false, ...place, ...size };
  });
  return { picture: { nodes, edges: [...graph.edges.values()] }, leftOut: graph.leftOut.size };
}

class FoundGraph {
  readonly found = new Map<string, Found>();
  readonly tops: Found[] = [];
  readonly edges = new Map<string, PictureEdge>();
  readonly leftOut = new Set<string>();

  add(
    kind: 'agent' | 'server' | 'function',
    name: string,
    caller: string | undefined,
    edge: PictureEdge['kind'],
  ): void {
    const id = callKey(kind, name);
    const above = caller === undefined ? undefined : this.found.get(callKey('agent', caller));
    if (!this.found.has(id) && this.found.size >= mostBoxes) {
      this.leftOut.add(id);
      return;
    }
    if (!this.found.has(id)) {
      const one: Found = { node: { kind, id, name }, column: (above?.column ?? -1) + 1, children: [], y: 0 };
      this.found.set(id, one);
      (above?.children ?? this.tops).push(one);
    }
    if (above === undefined) return;
    const wire = `${above.node.id} → ${id}`;
    this.edges.set(wire, { id: wire, kind: edge, source: above.node.id, target: id });
  }
}

/** Gives each box without children a row of its own, and the others the middle of their children. */
function placeRows(tops: readonly Found[]): void {
  const order: Found[] = [];
  const open = tops.toReversed();
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    order.push(one);
    for (const child of one.children.toReversed()) open.push(child);
  }
  let row = 0;
  for (const one of order) if (one.children.length === 0) one.y = row++ * (agentSize.height + rowGap);
  for (const one of order.toReversed()) {
    const [first, last] = [one.children[0], one.children.at(-1)];
    if (first !== undefined && last !== undefined) one.y = (first.y + last.y) / 2;
  }
}
