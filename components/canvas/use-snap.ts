'use client';

import type { NodeChange } from '@xyflow/react';
import { useCallback, useState } from 'react';
import { useRemembered } from '@/components/ui/remembered';
import { type Guide, snapTo } from '@/lib/graph/arrange';
import type { CanvasNode } from './annotation-model';

/** What a dragged node snaps to. Each browser remembers its own choice. */
export const snapKinds = ['off', 'guides', 'grid'] as const;
export type SnapKind = (typeof snapKinds)[number];

export function useSnapKind(): readonly [SnapKind, (kind: SnapKind) => void] {
  const [kept, keep] = useRemembered('snap', 'off');
  return [snapKinds.find((kind) => kind === kept) ?? 'off', keep];
}

/** This near to a line, in screen pixels, a node snaps to it. */
const reachPx = 6;
const noGuides: readonly Guide[] = [];

/** Lets a single dragged node snap to lines of the others, and returns the guides that show them. */
export function useGuides(zoomOf: () => number) {
  const [kind] = useSnapKind();
  const [guides, setGuides] = useState<readonly Guide[]>(noGuides);
  const snap = useCallback(
    (changes: NodeChange<CanvasNode>[], nodes: readonly CanvasNode[]): NodeChange<CanvasNode>[] => {
      const [move, ...others] = changes.filter((change) => change.type === 'position' && change.dragging === true);
      if (kind !== 'guides' || move?.type !== 'position' || move.position === undefined || others.length > 0) {
        setGuides(noGuides);
        return changes;
      }
      const { position } = move;
      const dragged = nodes.find((node) => node.id === move.id);
      if (dragged === undefined || dragged.type === 'frame') return changes;
      const boxes = nodes.flatMap((node) => {
        const box = boxOf(node);
        return node.id === move.id || node.type === 'frame' || node.hidden || box === undefined ? [] : [box];
      });
      const own = boxOf(dragged);
      if (own === undefined) return changes;
      const { at, guides: found } = snapTo({ ...own, ...position }, boxes, reachPx / zoomOf());
      setGuides(found.length === 0 ? noGuides : found);
      return changes.map((change) => (change === move ? { ...move, position: at } : change));
    },
    [kind, zoomOf],
  );
  return { snap, guides, clear: useCallback(() => setGuides(noGuides), []) };
}

function boxOf(node: CanvasNode) {
  const width = node.width ?? node.measured?.width ?? node.initialWidth;
  const height = node.height ?? node.measured?.height ?? node.initialHeight;
  return width === undefined || height === undefined ? undefined : { ...node.position, width, height };
}
