import { useReactFlow } from '@xyflow/react';
import { type RefObject, useLayoutEffect, useState } from 'react';
import { useReadProject } from '@/components/editor-state/project-context';
import type { NodeId } from '@/lib/graph/graph';
import type { View } from './home-view';

/** What a canvas that leaves the page hands to the next one. */
export interface CanvasMemory {
  readonly view: View;
  /** The node that was selected alone. */
  readonly selected: NodeId | undefined;
}

/**
 * Returns what the canvas before this one left in `memory`, and leaves there what this one shows when it goes. On a phone the
 * canvas goes whenever another panel is shown.
 */
export function useKeptView(memory: RefObject<CanvasMemory | undefined> | undefined): CanvasMemory | undefined {
  const flow = useReactFlow();
  const readProject = useReadProject();
  const [kept] = useState(() => memory?.current);
  // A layout effect ends before React Flow resets its view.
  useLayoutEffect(
    () => () => {
      if (memory === undefined || !flow.viewportInitialized) return;
      const { selection } = readProject();
      memory.current = { view: flow.getViewport(), selected: selection.length === 1 ? selection[0] : undefined };
    },
    [memory, flow, readProject],
  );
  return kept;
}
