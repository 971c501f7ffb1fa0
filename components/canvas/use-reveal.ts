'use client';

import { useReactFlow } from '@xyflow/react';
import { type RefObject, useEffect } from 'react';
import { useReadProject } from '@/components/editor/project-context';
import type { NodeId } from '@/lib/graph/graph';
import { nodeSize } from '@/lib/graph/size';

/** Brings the selected node into view when it was selected elsewhere: in the outline, a problem, the palette. */
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
    const { width, height } = nodeSize(node);
    const view = frame.current.getBoundingClientRect();
    const start = flow.flowToScreenPosition(point);
    const end = flow.flowToScreenPosition({ x: point.x + width, y: point.y + height });
    const inside = start.x >= view.left && start.y >= view.top && end.x <= view.right && end.y <= view.bottom;
    if (inside || view.width === 0) return;
    void flow.setCenter(point.x + width / 2, point.y + height / 2, { zoom: Math.max(flow.getZoom(), 0.5) });
  }, [only, flow, frame, readProject]);
}
