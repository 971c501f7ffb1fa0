import type { NodeId } from '@/lib/graph/graph';
import type { Editing } from './editing';
import { spotRightOf } from './place-nodes';
import type { ProjectStore } from './project-store';

export type PlaceNew = (id: NodeId, parent: NodeId | undefined) => void;

/**
 * Places a new node for which no place was given: right of its parent, the selected node or the entry agent, which will
 * probably use it. Like a place from a layout, it is not saved.
 */
export function createPlaceNew({ state }: Editing, actions: ProjectStore['actions']): PlaceNew {
  return (id, parent) => {
    const { picture, points, selection, layoutPoints } = state();
    const wanted = [parent, selection.at(-1), `agent:${picture.entry}`];
    const from = wanted.find((one) => picture.nodes.get(one ?? '')?.kind === 'agent');
    const spot = from === undefined ? undefined : spotRightOf(picture.graph, points, from);
    if (spot !== undefined) actions.setLayoutPoints({ ...layoutPoints, [id]: spot });
  };
}
