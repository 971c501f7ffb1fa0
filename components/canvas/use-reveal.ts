'use client';

import { useReactFlow } from '@xyflow/react';
import { type RefObject, useEffect, useRef } from 'react';
import { useReadProject } from '@/components/editor-state/project-context';
import type { ProjectState } from '@/lib/editor/project-state';
import type { NodeId } from '@/lib/graph/graph';
import { nodeSize } from '@/lib/graph/size';
import { revealBeside, revealView } from './reveal-view';
import type { CanvasMemory } from './use-kept-view';

/**
 * Brings the selected node into view when it was selected elsewhere, such as in the outline, a problem or the palette. A new
 * node is shown together with its parent, or with what was selected before. What the canvas before this one had selected is not
 * moved to.
 */
export function useReveal(
  frame: RefObject<HTMLElement | null>,
  selection: readonly NodeId[],
  kept: CanvasMemory | undefined,
) {
  const flow = useReactFlow();
  const readProject = useReadProject();
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
  }, [only, flow, frame, readProject, kept]);
}

function parentOf({ picture }: ProjectState, id: NodeId): NodeId | undefined {
  return picture.graph.edges.find((edge) => edge.target === id)?.source;
}

function boxOf({ picture, points }: ProjectState, id: NodeId | undefined) {
  const node = picture.nodes.get(id ?? '');
  const point = points[id ?? ''];
  return node === undefined || point === undefined ? undefined : { ...point, ...nodeSize(node) };
}
