'use client';

import { useSyncExternalStore } from 'react';

/** True if a media query holds. `undefined` on the server, which does not know the window. */
export function useMedia(query: string): boolean | undefined {
  return useSyncExternalStore(
    (changed) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    },
    () => window.matchMedia(query).matches,
    () => undefined,
  );
}
