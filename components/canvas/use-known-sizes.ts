'use client';

import { useStoreApi } from '@xyflow/react';
import { useState } from 'react';
import type { CanvasNode } from './annotation-model';
import type { FlowEdge } from './flow-model';

/**
 * Lets React Flow measure only notes and frames. Nodes of the graph come with their size and handles (`flowNodes`). Measuring
 * those that come into view would render them and their wires twice, and from far away it is inexact.
 */
export function useKnownSizes(): void {
  const store = useStoreApi<CanvasNode, FlowEdge>();
  // Done while rendering for the first time, because React Flow takes the function when it renders its nodes.
  useState(() => {
    const { updateNodeInternals: measure } = store.getState();
    store.setState({
      updateNodeInternals: (updates, params) => {
        const { nodeLookup } = store.getState();
        const unknown = [...updates].filter(([id]) => !hasKnownSize(nodeLookup.get(id)));
        if (unknown.length > 0) measure(new Map(unknown), params);
      },
    });
  });
}

function hasKnownSize(node: Pick<CanvasNode, 'type'> | undefined): boolean {
  return node?.type === 'agent' || node?.type === 'resource';
}
