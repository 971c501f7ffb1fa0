'use client';

import { useEffect } from 'react';
import { useLatest } from './use-latest';

/**
 * Does some work every `everyMs` while the page is visible, and at once when a page that was hidden for longer is seen again. With
 * `undefined` it does none.
 */
export function useWhileVisible(work: () => void, everyMs: number | undefined): void {
  const act = useLatest(work);
  useEffect(() => {
    if (everyMs === undefined) return;
    let last = Date.now();
    const look = () => {
      // A timer may come a little early.
      if (document.visibilityState !== 'visible' || Date.now() - last < everyMs * 0.9) return;
      last = Date.now();
      act();
    };
    const timer = setInterval(look, everyMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [everyMs, act]);
}
