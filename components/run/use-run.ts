'use client';

import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { EventCache, type Fetched } from '@/lib/client/event-cache';
import { type EventPreview, httpRunSource } from '@/lib/client/run-source';
import type { ShortEvent } from '@/lib/trace/short-event';
import type { LiveSaid } from './live-said';
import { browserHost, type FeedState, RunFeed } from './run-feed';

export interface LiveTrace extends FeedState {
  readonly now: () => number;
  /** Fetched events. Long texts in them are cut, and the event says so. */
  readonly cache: EventCache<ShortEvent>;
  readonly previews: EventCache<EventPreview>;
  /** What models say in calls that go on. */
  readonly said: LiveSaid;
}

/**
 * Follows a run while the component is mounted and `isFollowed`. Without `hasTexts` no texts are asked for. An imported run is loaded
 * again when more of it has arrived, and with the spans of its framework if `allSpans`.
 */
export function useRun(
  runId: string,
  { isImported = false, hasTexts = true, isFollowed = true, allSpans = false } = {},
): LiveTrace {
  const [feed, source] = useMemo(() => {
    const source = httpRunSource(runId, { isImported });
    return [new RunFeed(source, browserHost), source] as const;
  }, [runId, isImported]);
  useEffect(() => feed.showAllSpans(allSpans), [feed, allSpans]);
  useEffect(() => {
    if (!isFollowed) return;
    feed.start();
    return () => feed.stop();
  }, [feed, isFollowed]);
  const state = useSyncExternalStore(feed.subscribe, feed.getState, feed.getState);
  const { replaced } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: events that were replaced are fetched again
  const [cache, previews] = useMemo(
    () =>
      hasTexts
        ? ([
            new EventCache((seqs) => source.loadEvents(seqs)),
            new EventCache((seqs) => source.loadPreviews(seqs)),
          ] as const)
        : ([new EventCache<ShortEvent>(noTexts), new EventCache(emptyPreviews)] as const),
    [source, replaced, hasTexts],
  );
  return { ...state, now: feed.now, cache, previews, said: feed.said };
}

async function noTexts(): Promise<never> {
  throw new Error('This link does not show texts.');
}

async function emptyPreviews(seqs: readonly number[]): Promise<readonly EventPreview[]> {
  return seqs.map((seq) => ({ seq, text: '' }));
}

/** Returns what the cache has of these events, and fetches the rest. */
export function useFetched<T extends { readonly seq: number }>(
  cache: EventCache<T>,
  seqs: readonly number[],
): readonly (Fetched<T> | undefined)[] {
  useSyncExternalStore(cache.subscribe, cache.getVersion, cache.getVersion);
  const key = seqs.join(',');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is `seqs` by value
  useEffect(() => cache.want(seqs), [cache, key]);
  return seqs.map((seq) => cache.get(seq));
}
