import type { Renames } from '@/lib/graph/changes/align';
import { hookSteps } from '@/lib/graph/changes/hook-steps';
import type { ReadProject } from '@/lib/graph/changes/project-side';
import type { SemanticDiff } from '@/lib/graph/changes/semantic-diff';
import type { Graph, GraphEdge, NodeId, Point } from '@/lib/graph/graph';
import type { ChainEntry } from '@/lib/graph/hook-chain';
import { agentId, projectGraph } from '@/lib/graph/project';
import type { ReviewAnchor } from './anchor';

/*
 * Two graphs drawn as one: everything of the later one, and what is gone at its old place.
 *
 *   before   lead ──▶ critic            both   lead ──▶ critic  removed
 *   after    lead ──▶ writer                       └──▶ writer  added
 */

export type PartChange = 'added' | 'removed' | 'changed' | 'moved' | 'renamed';

export interface MergedGraph {
  readonly graph: Graph;
  /** What changed, by the id of a node or an edge, or by `beadKey`. The rest is as it was. */
  readonly changes: Readonly<Record<string, PartChange>>;
}

/** A merged graph as a page draws it. */
export interface PlacedGraph extends MergedGraph {
  readonly points: Readonly<Record<NodeId, Point>>;
  /** What a comment is about, by the same keys, where that is not the part itself. Null: it takes no comment. */
  readonly otherAnchors: Readonly<Record<string, ReviewAnchor | null>>;
}

/** Names a hook of a merged graph. */
export function beadKey(agent: NodeId, { id }: Pick<ChainEntry, 'id'>): string {
  return `${agent} ${id}`;
}

/** Draws two folders as one graph. Names in `before` are those of `after` where something was renamed. */
export function mergedGraph(before: ReadProject, after: ReadProject, semantic: SemanticDiff): MergedGraph {
  const [old, now] = [projectGraph(before.parsed), projectGraph(after.parsed)];
  const isOtherCode = (file: string) => textOf(before, file) !== textOf(after, file);
  const changes: Record<string, PartChange> = {};
  const chains: Record<NodeId, readonly ChainEntry[]> = {};
  const agents = new Set([...Object.keys(old.chains), ...Object.keys(now.chains)]);
  for (const agent of agents) {
    const merged = mergedChain(old.chains[agent] ?? [], now.chains[agent] ?? [], semantic.renames, isOtherCode);
    chains[agent] = merged.map(({ entry }) => entry);
    for (const { entry, change } of merged) if (change !== undefined) changes[beadKey(agent, entry)] = change;
  }
  const { addedNodes, removedNodes, addedEdges, removedEdges } = semantic.graph;
  const graph = { nodes: [...now.nodes, ...removedNodes], edges: [...now.edges, ...removedEdges], chains };
  const drawn = new Set([...graph.nodes.map(({ id }) => id), ...graph.edges.map(({ id }) => id)]);
  const set = (change: PartChange, ids: readonly string[]) => {
    for (const id of ids) if (drawn.has(id)) changes[id] = change;
  };
  set('changed', changedIds(now, semantic, isOtherCode));
  set(
    'renamed',
    semantic.agents.filter(({ change }) => change === 'renamed').map(({ name }) => agentId(name)),
  );
  set(
    'added',
    [...addedNodes, ...addedEdges].map(({ id }) => id),
  );
  set(
    'removed',
    [...removedNodes, ...removedEdges].map(({ id }) => id),
  );
  return { graph, changes };
}

/** Returns what looks different, and what looks the same but has other options, another text or other code. */
function changedIds(now: Graph, semantic: SemanticDiff, isOtherCode: (file: string) => boolean): readonly string[] {
  const { changedNodes, changedEdges } = semantic.graph;
  return [
    ...[...changedNodes, ...changedEdges].map(({ after: { id } }) => id),
    ...now.nodes.flatMap((node) => (node.kind === 'function' && isOtherCode(node.file) ? [node.id] : [])),
    ...semantic.agents.flatMap(({ name, change }) => (change === 'changed' ? [agentId(name)] : [])),
    ...semantic.servers.map(({ name }) => `server:${name}`),
    ...edgesOf(now, semantic).map(({ id }) => id),
  ];
}

/** Returns the edges whose options changed, although their marks may be the same. */
function edgesOf(graph: Graph, { delegations }: SemanticDiff): readonly GraphEdge[] {
  const changed = new Set(
    delegations.flatMap(({ parent, child, change }) =>
      change === 'changed' ? [`${agentId(parent)}\n${agentId(child)}`] : [],
    ),
  );
  return graph.edges.filter(({ source, target }) => changed.has(`${source}\n${target}`));
}

interface MergedEntry {
  readonly entry: ChainEntry;
  readonly change: PartChange | undefined;
}

/** A hook that is gone stands behind the one that was before it. */
function mergedChain(
  before: readonly ChainEntry[],
  after: readonly ChainEntry[],
  renames: Renames,
  isOtherCode: (file: string) => boolean,
): readonly MergedEntry[] {
  const steps = hookSteps(before, after, renames);
  const isChanged = ({ kind, file }: ChainEntry) => kind === 'code' && isOtherCode(file);
  const merged = steps.flatMap(({ change, before: was, after: entry }) => {
    if (entry === undefined) return [];
    const shown = change !== 'kept' ? change : isChanged(entry) ? 'changed' : undefined;
    return [{ was, entry, change: shown }];
  });
  for (const { change, before: was } of steps) {
    if (change !== 'removed' || was === undefined) continue;
    const above = before[before.indexOf(was) - 1];
    const place = above === undefined ? 0 : merged.findIndex((one) => one.was === above) + 1;
    merged.splice(place, 0, { was, entry: { ...was, id: `removed ${was.id}` }, change });
  }
  return merged;
}

function textOf({ folder }: ReadProject, path: string): string | undefined {
  const file = folder.get(path);
  return file?.kind === 'text' ? file.text : undefined;
}

/** Returns the saved places of both sides; those of the later one come first. */
export function savedPlaces(before: ReadProject, after: ReadProject): Readonly<Record<NodeId, Point>> {
  return { ...before.parsed.settings.canvas.positions, ...after.parsed.settings.canvas.positions };
}
