'use client';

import { type ReactFlowState, useStore } from '@xyflow/react';
import { useCallback, useMemo } from 'react';
import { useProject, useProjectAs } from '@/components/editor-state/project-context';
import { boundsOf, canvasBoxes } from '@/lib/graph/group-frames';
import { sameDrawing } from '@/lib/graph/same-drawing';

/** True while all nodes and notes are in view. Then an overview would only cover some of them. */
export function useIsWhole(): boolean {
  const graph = useProjectAs((state) => state.picture.graph, sameDrawing);
  const points = useProject((state) => state.points);
  const notes = useProject((state) => state.picture.drawn.settings.canvas.notes);
  const bounds = useMemo(() => boundsOf([...canvasBoxes(graph, points, notes).values()]), [graph, points, notes]);
  const isWhole = useCallback(
    ({ transform: [x, y, zoom], width, height }: ReactFlowState) =>
      bounds === undefined ||
      (bounds.x * zoom + x >= 0 &&
        bounds.y * zoom + y >= 0 &&
        (bounds.x + bounds.width) * zoom + x <= width &&
        (bounds.y + bounds.height) * zoom + y <= height),
    [bounds],
  );
  return useStore(isWhole);
}
