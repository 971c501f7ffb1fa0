'use client';

import { useEffect, useState } from 'react';

/** What was loaded, or a sentence that says why it was not; `undefined` while it is loaded. */
export type Loaded<T> = { readonly value: T } | { readonly error: string } | undefined;

/** Loads something when `key` changes. */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key names what is loaded
  useEffect(() => {
    const stop = new AbortController();
    load(stop.signal).then(
      (value) => setLoaded({ value }),
      (error: unknown) => {
        if (!stop.signal.aborted) setLoaded({ error: error instanceof Error ? error.message : 'Try again later.' });
      },
    );
    return () => stop.abort();
  }, [key]);
  return loaded;
}
