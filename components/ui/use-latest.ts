'use client';

import { useCallback, useLayoutEffect, useRef } from 'react';

/** A function that never changes and calls the latest one given: for event handlers of components that are memoised. */
export function useLatest<A extends readonly unknown[]>(handler: (...args: A) => void): (...args: A) => void {
  const latest = useRef(handler);
  useLayoutEffect(() => {
    latest.current = handler;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}
