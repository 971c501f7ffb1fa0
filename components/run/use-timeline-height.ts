'use client';

import { useMemo, useSyncExternalStore } from 'react';
import { timelineHeight } from '@/components/timeline/timeline-height';
import type { Trace } from '@/lib/trace/trace';

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

/**
 * Returns the height in CSS pixels until somebody drags the timeline to another size. The server renders for a page of 900.
 */
export function useTimelineHeight(trace: Trace): number {
  const pageHeight = useSyncExternalStore(
    subscribe,
    () => window.innerHeight,
    () => 900,
  );
  const { laneVersion } = trace;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; laneVersion says when
  return useMemo(() => timelineHeight(trace, pageHeight), [trace, laneVersion, pageHeight]);
}
