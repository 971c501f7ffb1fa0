import type { Issue } from '@/lib/base/issue';
import { ok, type Result } from '@/lib/base/result';
import { readFolder } from '@/lib/cards/project/read-folder';
import { type Command, moveNodes } from '@/lib/graph/commands';
import type { Graph, NodeId } from '@/lib/graph/graph';
import { makeRoom } from '@/lib/graph/make-room';
import { projectGraph } from '@/lib/graph/project';
import { fileChanges } from './compose';
import { changesBetween, type FileChanges, withChanges } from './document';
import type { Editing } from './editing';
import type { ProjectStore } from './project-store';

/**
 * Adds to a change of hooks what makes room for longer chains. Places that are saved change in the same step. Places from a
 * layout are not saved, as before.
 */
export function withRoom(
  { state, folder }: Editing,
  actions: ProjectStore['actions'],
  command: Command,
): Result<FileChanges, Issue> {
  if (!command.ok) return command;
  const { picture, points, layoutPoints } = state();
  const now = withChanges(folder(), fileChanges(command.value));
  const parsed = readFolder(now);
  const graph = projectGraph(parsed);
  const agents = grown(picture.graph, graph);
  const moves = Object.entries(agents.size === 0 ? {} : makeRoom(graph, points, agents));
  const isSaved = (id: NodeId) => Object.hasOwn(parsed.settings.canvas.positions, id);
  const loose = moves.filter(([id]) => !isSaved(id));
  const saved = moves.filter(([id]) => isSaved(id));
  const moved = saved.length === 0 ? undefined : moveNodes(now, parsed, Object.fromEntries(saved));
  if (moved?.ok === false) return moved;
  if (loose.length > 0) actions.setLayoutPoints({ ...layoutPoints, ...Object.fromEntries(loose) });
  return ok(
    moved === undefined
      ? fileChanges(command.value)
      : changesBetween(folder(), withChanges(now, fileChanges(moved.value))),
  );
}

/** Returns the agents whose chains are longer than before. */
function grown(before: Graph, after: Graph): ReadonlySet<NodeId> {
  const lengthIn = (graph: Graph, id: NodeId) => graph.chains[id]?.length ?? 0;
  return new Set(after.nodes.flatMap(({ id }) => (lengthIn(after, id) > lengthIn(before, id) ? [id] : [])));
}
