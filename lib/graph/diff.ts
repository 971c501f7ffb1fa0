import type { Graph, GraphEdge, GraphNode, NodeId } from './graph';
import type { ChainEntry } from './hook-chain';

/** The differences between two graphs, as nodes and edges and not as lines of text. Lists keep the order of the graphs. */
export interface GraphDiff {
  readonly addedNodes: readonly GraphNode[];
  readonly removedNodes: readonly GraphNode[];
  readonly changedNodes: readonly Changed<GraphNode>[];
  readonly addedEdges: readonly GraphEdge[];
  readonly removedEdges: readonly GraphEdge[];
  /** Edges with the same ends and kind, but with different marks or another position. */
  readonly changedEdges: readonly Changed<GraphEdge>[];
  readonly changedChains: readonly {
    readonly agent: NodeId;
    readonly before: readonly ChainEntry[];
    readonly after: readonly ChainEntry[];
  }[];
}

export interface Changed<T> {
  readonly before: T;
  readonly after: T;
  /** The names of the fields that differ. */
  readonly fields: readonly string[];
}

/** Matches nodes and edges by id, so a renamed agent counts as one removed and one added. */
export function diffGraphs(before: Graph, after: Graph): GraphDiff {
  const nodes = compare(before.nodes, after.nodes);
  const edges = compare(before.edges, after.edges);
  const agents = new Set([...Object.keys(before.chains), ...Object.keys(after.chains)]);
  return {
    addedNodes: nodes.added,
    removedNodes: nodes.removed,
    changedNodes: nodes.changed,
    addedEdges: edges.added,
    removedEdges: edges.removed,
    changedEdges: edges.changed,
    changedChains: [...agents].sort().flatMap((agent) => {
      const [old, now] = [before.chains[agent] ?? [], after.chains[agent] ?? []];
      return JSON.stringify(old) === JSON.stringify(now) ? [] : [{ agent, before: old, after: now }];
    }),
  };
}

function compare<T extends { readonly id: string }>(before: readonly T[], after: readonly T[]) {
  const old = new Map(before.map((item) => [item.id, item]));
  const now = new Set(after.map((item) => item.id));
  const added: T[] = [];
  const changed: Changed<T>[] = [];
  for (const item of after) {
    const match = old.get(item.id);
    const fields = match === undefined ? [] : changedFields(match, item);
    if (match === undefined) added.push(item);
    else if (fields.length > 0) changed.push({ before: match, after: item, fields });
  }
  return { added, removed: before.filter((item) => !now.has(item.id)), changed };
}

function changedFields(before: object, after: object): string[] {
  const old = new Map<string, unknown>(Object.entries(before));
  const now = new Map<string, unknown>(Object.entries(after));
  const names = [...new Set([...old.keys(), ...now.keys()])];
  return names.filter((name) => JSON.stringify(old.get(name)) !== JSON.stringify(now.get(name)));
}
