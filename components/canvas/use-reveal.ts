'use client';

import { useReactFlow } from '@xyflow/react';
import { type RefObject, useEffect } from 'react';
import { useReadProject } from '@/components/editor-state/project-context';
import type { NodeId } from '@/lib/graph/graph';
import { nodeSize } from '@/lib/graph/size';
import { revealView } from './reveal-view';

/** Brings the selected node into view when it was selected elsewhere, such as in the outline, a problem or the palette. */
export function useReveal(frame: RefObject<HTMLElement | null>, selection: readonly NodeId[]) {
  const flow = useReactFlow();
  const readProject = useReadProject();
  const only = selection.length === 1 ? selection[0] : undefined;
  useEffect(() => {
    if (only === undefined || frame.current === null) return;
    const { points, picture } = readProject();
    const node = picture.nodes.get(only);
    const point = points[only];
    if (node === undefined || point === undefined) return;
    const { width, height } = frame.current.getBoundingClientRect();
    if (width === 0) return;
    const view = revealView(flow.getViewport(), { ...point, ...nodeSize(node) }, { width, height });
    if (view !== undefined) void flow.setViewport(view);
  }, [only, flow, frame, readProject]);
}
