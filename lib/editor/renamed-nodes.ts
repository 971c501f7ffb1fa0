import type { NodeId } from '@/lib/graph/graph';
import type { Picture } from './picture';

/**
 * Maps the old id to the new id of nodes that have another name in `after` than in `before`, so that they keep their place
 * and stay selected. An agent is recognised by the file of its card. If the file has a new name too, and exactly one agent
 * is gone and one is new, they are the same.
 */
export function renamedNodes(before: Picture, after: Picture): ReadonlyMap<NodeId, NodeId> {
  const were = agentsByFile(before);
  const are = agentsByFile(after);
  const gone = [...were].filter(([file, id]) => !are.has(file) && !after.nodes.has(id));
  const renamed = new Map<NodeId, NodeId>();
  const come: NodeId[] = [];
  for (const [file, id] of are) {
    if (before.nodes.has(id)) continue;
    const was = were.get(file);
    if (was === undefined) come.push(id);
    else renamed.set(was, id);
  }
  const [went] = gone;
  const [came] = come;
  if (went !== undefined && came !== undefined && gone.length === 1 && come.length === 1) renamed.set(went[1], came);
  const server = renamedServer(Object.keys(before.drawn.config.servers), Object.keys(after.drawn.config.servers));
  if (server !== undefined) renamed.set(`server:${server.from}`, `server:${server.to}`);
  return renamed;
}

/** Returns the server that was renamed: exactly one name differs, at the same position. */
function renamedServer(before: readonly string[], after: readonly string[]) {
  if (before.length !== after.length) return undefined;
  const changed = before.flatMap((from, index) => (after[index] === from ? [] : [{ from, to: after[index] ?? from }]));
  return changed.length === 1 ? changed[0] : undefined;
}

function agentsByFile(picture: Picture): ReadonlyMap<string, NodeId> {
  const ids = new Map<string, NodeId>();
  for (const node of picture.graph.nodes) if (node.kind === 'agent' && !node.missing) ids.set(node.file, node.id);
  return ids;
}
