'use client';

import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { EventShelf, type Shelved } from '@/lib/client/event-shelf';
import { type EventPreview, httpRunSource } from '@/lib/client/run-source';
import type { ShortEvent } from '@/lib/trace/short-event';
import { browserHost, type FeedState, RunFeed } from './run-feed';

export interface LiveTrace extends FeedState {
  readonly now: () => number;
  /** Events; what is too long to show at once is cut, and they say so. */
  readonly shelf: EventShelf<ShortEvent>;
  readonly previews: EventShelf<EventPreview>;
}

/** Follows a run while the component is mounted. */
export function useRun(runId: string): LiveTrace {
  const [feed, shelf, previews] = useMemo(() => {
    const source = httpRunSource(runId);
    return [
      new RunFeed(source, browserHost),
      new EventShelf((seqs) => source.loadEvents(seqs)),
      new EventShelf((seqs) => source.loadPreviews(seqs)),
    ] as const;
  }, [runId]);
  useEffect(() => {
    feed.start();
    return () => feed.stop();
  }, [feed]);
  const state = useSyncExternalStore(feed.subscribe, feed.getState, feed.getState);
  return { ...state, now: feed.now, shelf, previews };
}

/** What the shelf has of these events; the rest is fetched. */
export function useShelved<T extends { readonly seq: number }>(
  shelf: EventShelf<T>,
  seqs: readonly number[],
): readonly (Shelved<T> | undefined)[] {
  useSyncExternalStore(shelf.subscribe, shelf.getVersion, shelf.getVersion);
  const key = seqs.join(',');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is `seqs` by value
  useEffect(() => shelf.want(seqs), [shelf, key]);
  return seqs.map((seq) => shelf.get(seq));
}
