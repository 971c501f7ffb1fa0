'use client';

import { useEffect, useState } from 'react';
import { loadRunPicture } from '@/lib/client/run-source';
import type { Picture } from '@/lib/graph/picture';

/** A picture, or a sentence for users when it could not be loaded. */
export type LoadedPicture = { readonly picture: Picture } | { readonly error: string } | undefined;

/** Loads the picture when it is first wanted. If that fails, it is tried again the next time. */
export function useRunPicture(runId: string, wanted: boolean): LoadedPicture {
  const [loaded, setLoaded] = useState<LoadedPicture>(undefined);
  const ready = loaded !== undefined && 'picture' in loaded;
  useEffect(() => {
    if (!wanted || ready) return;
    const stop = new AbortController();
    loadRunPicture(runId, stop.signal).then(
      (picture) => setLoaded({ picture }),
      (error: unknown) => {
        if (!stop.signal.aborted) setLoaded({ error: error instanceof Error ? error.message : 'Try again later.' });
      },
    );
    return () => stop.abort();
  }, [runId, wanted, ready]);
  return loaded;
}
