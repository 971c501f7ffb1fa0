import type { Graph, GraphEdge, NodeId } from '@/lib/graph/graph';

export interface OutlineRow {
  /** The path from the root. The id alone is not unique in the tree, because a child may have several parents. */
  readonly key: string;
  readonly id: NodeId;
  readonly label: string;
  readonly depth: number;
  readonly hasChildren: boolean;
  readonly open: boolean;
  /** True if the agent has a row higher up; then this row cannot be opened. */
  readonly repeated: boolean;
  /**
   * The wire of kind `may_call` that the row stands for. The agent has its own row elsewhere, so this one cannot be opened.
   */
  readonly mayCall: string | undefined;
  /** The position among its siblings, counted from 1, and their number. */
  readonly position: number;
  readonly size: number;
}

/** True if both graphs have the same tree, whatever else their nodes say. */
export function sameOutline(a: Graph, b: Graph): boolean {
  if (a === b) return true;
  if (a.edges !== b.edges || a.nodes.length !== b.nodes.length) return false;
  return a.nodes.every((node, at) => {
    const other = b.nodes[at];
    return node === other || (node.id === other?.id && node.name === other.name);
  });
}

/** Returns the keys of the rows from the root to the row of a node. All but the last must be open for it to be seen. */
export function rowsTo(graph: Graph, id: NodeId): readonly string[] {
  const rows = outlineRows(graph, new Set());
  const at = rows.findIndex((row) => row.id === id && row.mayCall === undefined);
  const way: OutlineRow[] = [];
  for (const row of rows.slice(0, at + 1).reverse()) {
    const [top] = way;
    if (top === undefined || row.depth === top.depth - 1) way.unshift(row);
  }
  return way.map(({ key }) => key);
}

/**
 * Shows the graph as a tree. Agents without a parent come first, each with its children and the servers and tools it uses.
 * A row that repeats an agent has no children, so a cycle ends. Agents that only a cycle reaches are roots too, so that
 * none is left out. The agents that an agent may call by their names come after its children.
 */
export function outlineRows(graph: Graph, closed: ReadonlySet<string>): readonly OutlineRow[] {
  const agents = graph.nodes.filter((node) => node.kind === 'agent').map((node) => node.id);
  const names = new Map(graph.nodes.map((node) => [node.id, node.name]));
  const targets = new Map<NodeId, NodeId[]>();
  const reached = new Set<NodeId>();
  const workers = new Map<NodeId, GraphEdge[]>();
  for (const edge of graph.edges) {
    if (edge.kind === 'may_call') {
      workers.set(edge.source, [...(workers.get(edge.source) ?? []), edge]);
      continue;
    }
    const list = targets.get(edge.source) ?? [];
    if (!list.includes(edge.target)) list.push(edge.target);
    targets.set(edge.source, list);
    if (edge.target !== edge.source) reached.add(edge.target);
  }
  const rows: OutlineRow[] = [];
  const seen = new Set<NodeId>();

  function add(id: NodeId, way: readonly NodeId[], position: number, size: number) {
    const children = targets.get(id) ?? [];
    const called = workers.get(id) ?? [];
    const below = children.length + called.length;
    const repeated = seen.has(id) && below > 0;
    seen.add(id);
    const key = [...way, id].join('/');
    const open = !closed.has(key) && !repeated && below > 0;
    const depth = way.length;
    rows.push({
      key,
      id,
      label: names.get(id) ?? id,
      depth,
      hasChildren: below > 0,
      open,
      repeated,
      mayCall: undefined,
      position,
      size,
    });
    if (open) {
      children.forEach((child, index) => {
        add(child, [...way, id], index + 1, below);
      });
      called.forEach((edge, index) => {
        addCalled(edge, [...way, id], children.length + index + 1, below);
      });
    } else markSeen(children);
  }

  function addCalled({ id: edge, target }: GraphEdge, way: readonly NodeId[], position: number, size: number) {
    const row = { id: target, label: names.get(target) ?? target, depth: way.length, position, size };
    rows.push({
      ...row,
      key: [...way, edge].join('/'),
      mayCall: edge,
      hasChildren: false,
      open: false,
      repeated: false,
    });
  }

  /** Marks what is under a closed row as shown, so that it does not become a root. */
  function markSeen(ids: readonly NodeId[]) {
    for (const id of ids) {
      if (seen.has(id)) continue;
      seen.add(id);
      markSeen(targets.get(id) ?? []);
    }
  }

  const roots = agents.filter((id) => !reached.has(id));
  const unused = graph.nodes.filter((node) => node.kind !== 'agent' && !reached.has(node.id)).map((node) => node.id);
  const tops = [...roots, ...unused];
  tops.forEach((id, index) => {
    add(id, [], index + 1, tops.length);
  });
  for (const id of agents) if (!seen.has(id)) add(id, [], 1, 1);
  return rows;
}
