import type { NodeId } from '@/lib/graph/graph';
import { changeRole, moveMember, roleInstead } from '@/lib/graph/roles';
import { connect, disconnect } from '@/lib/graph/wires';
import { allowWorker } from '@/lib/graph/worker-edits';
import type { Editing } from './editing';
import { edgeLabel } from './graph-words';
import type { ProjectStore } from './project-store';

/** Commands that draw and remove wires, and change what a wire of a workflow means. */
export function wireCommands(editing: Editing, actions: ProjectStore['actions']) {
  const { state, folder, drawn, applyOne } = editing;
  const nameOf = (id: NodeId) => state().picture.nodes.get(id)?.name ?? id;
  return {
    connect(source: NodeId, target: NodeId) {
      const { graph } = state().picture;
      const label = `Connect ${nameOf(source)} to ${nameOf(target)}`;
      applyOne(connect(folder(), drawn(), graph, source, target), { label });
    },
    /** Lets an agent call another by its name, with `worker_call`. */
    allowWorker(source: NodeId, target: NodeId) {
      const label = `Let ${nameOf(source)} call ${nameOf(target)}`;
      applyOne(allowWorker(folder(), drawn(), state().picture.graph, source, target), { label });
    },
    removeEdge(edgeId: string) {
      const { graph } = state().picture;
      const edge = graph.edges.find(({ id }) => id === edgeId);
      const label = edge === undefined ? 'Remove edge' : `Remove ${edgeLabel(edge)}`;
      applyOne(disconnect(folder(), drawn(), graph, edgeId), { label });
    },
    /** Moves a step or branch of a workflow one place earlier or later. */
    moveMember(edgeId: string, to: 'earlier' | 'later') {
      applyOne(moveMember(folder(), drawn(), state().picture.graph, edgeId, to), { label: 'Reorder' });
    },
    /** Makes a branch the fan-in or the other way round, or lets generator and evaluator change places. */
    changeRole(edgeId: string) {
      const edge = state().picture.graph.edges.find(({ id }) => id === edgeId);
      const role = edge && roleInstead(edge);
      if (edge === undefined || role === undefined) return;
      const changed = applyOne(changeRole(folder(), drawn(), state().picture.graph, edgeId), { label: 'Change role' });
      const now = state().picture.graph.edges.find(
        ({ kind, source, target }) => kind === role && source === edge.source && target === edge.target,
      );
      if (changed) actions.selectEdge(now?.id);
    },
  };
}
