'use client';

import { type RefObject, useEffect, useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import type { OutlineRow } from '@/lib/editor/outline';
import type { NodeId } from '@/lib/graph/graph';

/**
 * Shows the row of a node that a person goes to. `reach` makes it the current one, unless it is that already. The outline is
 * scrolled if the row is out of view.
 */
export function useShownRow(
  tree: RefObject<HTMLElement | null>,
  current: OutlineRow | undefined,
  reach: (id: NodeId) => void,
): void {
  const pointed = useProject((state) => state.pointed);
  const [reached, setReached] = useState<typeof pointed>(undefined);
  // The state is updated while rendering, because an effect would render the tree twice.
  if (pointed !== reached) {
    setReached(pointed);
    const isCurrent = current?.id === pointed?.id && current?.mayCall === undefined;
    if (pointed !== undefined && !isCurrent) reach(pointed.id);
  }
  const key = current?.id === pointed?.id ? current?.key : undefined;
  useEffect(() => {
    if (pointed === undefined || key === undefined) return;
    const row = tree.current?.querySelector(`[data-key="${CSS.escape(key)}"]`);
    const view = row?.closest('[data-scrolls]');
    if (!row || !view) return;
    const [inner, outer] = [row.getBoundingClientRect(), view.getBoundingClientRect()];
    if (inner.top >= outer.top && inner.bottom <= outer.bottom) return;
    view.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  }, [tree, pointed, key]);
}
