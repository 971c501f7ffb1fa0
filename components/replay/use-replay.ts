'use client';

import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { whenIdle } from '@/components/ui/when-idle';
import type { Trace } from '@/lib/trace/trace';
import { Replay, type ReplayHost, type ReplayState } from './replay';

const browserHost: ReplayHost = {
  now: () => performance.now(),
  frame(callback) {
    const frame = requestAnimationFrame(callback);
    return () => cancelAnimationFrame(frame);
  },
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  still: () => window.matchMedia('(prefers-reduced-motion: reduce)').matches,
};

// The server renders no replay, and React warns there about an effect that could not run.
const useBeforePaint = typeof window === 'undefined' ? useEffect : useLayoutEffect;

/** Keeps the play-head of a run that is on the page. `now` returns the end of the run so far. */
export function useReplay(trace: Trace, now: () => number): { readonly replay: Replay; readonly state: ReplayState } {
  const [replay] = useState(() => new Replay(browserHost));
  useBeforePaint(() => replay.follow({ trace, now }), [replay, trace, now]);
  useEffect(() => () => replay.stop(), [replay]);
  useEffect(() => whenIdle(() => void replay.load(), 1_000), [replay]);
  const state = useSyncExternalStore(replay.subscribe, replay.getState, replay.getState);
  return { replay, state };
}
