'use client';

import { createContext, useContext } from 'react';
import type { PartChange } from '@/lib/graph/review/merged-graph';

interface DrawingState {
  readonly changes: Readonly<Record<string, PartChange>>;
  /** The number of threads of each part. */
  readonly counts: ReadonlyMap<string, number>;
  readonly chosen: string | undefined;
  readonly onChoose: (key: string) => void;
}

/** What the nodes and wires of the drawing share. React Flow draws them, so they get no props of ours. */
export const DrawingContext = createContext<DrawingState>({
  changes: {},
  counts: new Map(),
  chosen: undefined,
  onChoose: () => undefined,
});

/** Returns what a drawn part shows, and what choosing it does. */
export function useDrawnPart(key: string) {
  const { changes, counts, chosen, onChoose } = useContext(DrawingContext);
  return { change: changes[key], threads: counts.get(key) ?? 0, isChosen: chosen === key, choose: () => onChoose(key) };
}
