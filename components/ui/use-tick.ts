'use client';

import { useEffect, useReducer } from 'react';

/** One timer serves each period (milliseconds), so that all components of a period show the same moment. */
const clocks = new Map<
  number,
  { readonly listeners: Set<() => void>; readonly timer: ReturnType<typeof setInterval> }
>();

/**
 * Renders again every `ms` while something runs, so that durations are current. All components with one period render
 * together.
 */
export function useTick(active: boolean, ms: number): void {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => (active ? listen(ms, tick) : undefined), [active, ms]);
}

function listen(ms: number, listener: () => void): () => void {
  const clock = clocks.get(ms) ?? startClock(ms);
  clock.listeners.add(listener);
  return () => {
    clock.listeners.delete(listener);
    if (clock.listeners.size > 0) return;
    clearInterval(clock.timer);
    clocks.delete(ms);
  };
}

function startClock(ms: number) {
  const listeners = new Set<() => void>();
  const timer = setInterval(() => {
    for (const listener of listeners) listener();
  }, ms);
  const clock = { listeners, timer };
  clocks.set(ms, clock);
  return clock;
}
