'use client';

import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { EventShelf, type Shelved } from './event-shelf';
import { browserHost, type FeedState, RunFeed } from './run-feed';
import { httpRunSource } from './run-source';

export interface LiveTrace extends FeedState {
  readonly now: () => number;
  readonly shelf: EventShelf;
}

/** Follows a run while the component is mounted. */
export function useRun(runId: string): LiveTrace {
  const [feed, shelf] = useMemo(() => {
    const source = httpRunSource(runId);
    return [new RunFeed(source, browserHost), new EventShelf(source)] as const;
  }, [runId]);
  useEffect(() => {
    feed.start();
    return () => feed.stop();
  }, [feed]);
  const state = useSyncExternalStore(feed.subscribe, feed.getState, feed.getState);
  return { ...state, now: feed.now, shelf };
}

/** Re-renders every `ms` while something runs, so that durations tick. */
export function useTick(active: boolean, ms: number): void {
  const [, setTick] = useState(0);
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => setTick((tick) => tick + 1), ms);
    return () => clearInterval(timer);
  }, [active, ms]);
}

/** Whole events by number; those not here yet are fetched. */
export function useEvents(shelf: EventShelf, seqs: readonly number[]): readonly (Shelved | undefined)[] {
  useSyncExternalStore(shelf.subscribe, shelf.getVersion, shelf.getVersion);
  const key = seqs.join(',');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is `seqs` by value
  useEffect(() => shelf.want(seqs), [shelf, key]);
  return seqs.map((seq) => shelf.get(seq));
}
