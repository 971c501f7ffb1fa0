'use client';

import { type ReactFlowState, useStore } from '@xyflow/react';
import { useProject } from '@/components/editor-state/project-context';
import type { NodeId } from '@/lib/graph/graph';
import { distanceOf } from './distance';

const isFarthest = (state: Pick<ReactFlowState, 'transform'>) => distanceOf(state) === 'farthest';

/** True if a node is seen from so far away that its name is enough. A node that is being renamed is always drawn in full. */
export function useIsFar(id: NodeId): boolean {
  const isFar = useStore(isFarthest);
  const isNamed = useProject((state) => state.renaming === id);
  return isFar && !isNamed;
}
