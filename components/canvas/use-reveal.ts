'use client';

import { useReactFlow } from '@xyflow/react';
import { type RefObject, useEffect, useRef } from 'react';
import { useActions, useProject, useReadProject } from '@/components/editor-state/project-context';
import type { ProjectState } from '@/lib/editor/project-state';
import type { NodeId } from '@/lib/graph/graph';
import { nodeSize } from '@/lib/graph/size';
import { centredView, revealBeside, revealView } from './reveal-view';
import type { CanvasMemory } from './use-kept-view';

/** How long a node that a person goes to has its halo. */
const haloMs = 2_100;

/**
 * Brings the selected node into view when it was selected elsewhere, such as in the outline, a problem or the palette. A new
 * node is shown together with its parent, or with what was selected before. What the canvas before this one had selected is not
 * moved to. A node that a person goes to is centred, wherever it is.
 */
export function useReveal(
  frame: RefObject<HTMLElement | null>,
  selection: readonly NodeId[],
  kept: CanvasMemory | undefined,
) {
  const flow = useReactFlow();
  const readProject = useReadProject();
  const pointed = useProject((state) => state.pointed);
  usePassingHalo(pointed);
  const centred = useRef<ProjectState['pointed']>(undefined);
  const only = selection.length === 1 ? selection[0] : undefined;
  const seen = useRef<{ readonly nodes: ProjectState['picture']['nodes']; readonly selected: NodeId | undefined }>(
    undefined,
  );
  useEffect(() => {
    const project = readProject();
    const { nodes } = project.picture;
    const before = seen.current;
    seen.current = { nodes, selected: only };
    if (only === undefined || frame.current === null) return;
    if (pointed?.id === only) {
      const asked = pointed !== centred.current;
      centred.current = pointed;
      const node = boxOf(project, only);
      const size = frame.current.getBoundingClientRect();
      if (asked && node !== undefined && size.width > 0)
        void flow.setViewport(centredView(flow.getViewport(), node, size));
      return;
    }
    if (kept?.selected === only && (before === undefined || before.selected === only)) return;
    const box = boxOf(project, only);
    const { width, height } = frame.current.getBoundingClientRect();
    if (box === undefined || width === 0) return;
    const isNew = before !== undefined && before.nodes !== nodes && !before.nodes.has(only);
    const parent = isNew ? boxOf(project, parentOf(project, only) ?? before.selected) : undefined;
    const view =
      parent === undefined
        ? revealView(flow.getViewport(), box, { width, height })
        : revealBeside(flow.getViewport(), box, parent, { width, height });
    if (view !== undefined) void flow.setViewport(view);
  }, [only, pointed, flow, frame, readProject, kept]);
}

function usePassingHalo(pointed: ProjectState['pointed']) {
  const actions = useActions();
  useEffect(() => {
    if (pointed === undefined) return;
    const timer = setTimeout(() => actions.endHalo(pointed), haloMs);
    return () => clearTimeout(timer);
  }, [pointed, actions]);
}

function parentOf({ picture }: ProjectState, id: NodeId): NodeId | undefined {
  return picture.graph.edges.find((edge) => edge.target === id)?.source;
}

function boxOf({ picture, points }: ProjectState, id: NodeId | undefined) {
  const node = picture.nodes.get(id ?? '');
  const point = points[id ?? ''];
  return node === undefined || point === undefined ? undefined : { ...point, ...nodeSize(node) };
}
