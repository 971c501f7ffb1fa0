'use client';

import { useEffect, useState } from 'react';

export interface PolledCount {
  readonly read: (signal: AbortSignal) => Promise<number>;
  /** Calls back when this page has changed the number. Returns an unsubscribe function. */
  readonly onChange: (callback: () => void) => () => void;
  readonly everyMs: number;
}

/**
 * Returns a number as far as it is known. It is asked again when the page changes, is looked at, or has changed it. A stream on every
 * page would use up the few connections that a browser has for one server.
 */
export function usePolledCount(path: string, { read: ask, onChange, everyMs }: PolledCount): number {
  const [count, setCount] = useState(0);
  const isSignedOut = path.startsWith('/sign-in');
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again on another page
  useEffect(() => {
    if (isSignedOut) return;
    const gone = new AbortController();
    const read = () => {
      if (document.visibilityState === 'hidden') return;
      ask(gone.signal).then(
        (now) => {
          if (!gone.signal.aborted) setCount(now);
        },
        // Without an answer the last number stays.
        () => {},
      );
    };
    read();
    const timer = setInterval(read, everyMs);
    const unsubscribe = onChange(read);
    document.addEventListener('visibilitychange', read);
    return () => {
      gone.abort();
      clearInterval(timer);
      unsubscribe();
      document.removeEventListener('visibilitychange', read);
    };
  }, [path, isSignedOut, ask, onChange, everyMs]);
  return isSignedOut ? 0 : count;
}
