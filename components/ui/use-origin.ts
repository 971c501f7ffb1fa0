'use client';

import { useSyncExternalStore } from 'react';

const noChanges = () => () => undefined;

/** Returns where other machines reach the app: `publicUrl`, or else the origin that the browser has, which is empty on the server. */
export function useOrigin(publicUrl: string | undefined): string {
  const here = useSyncExternalStore(
    noChanges,
    () => window.location.origin,
    () => '',
  );
  return publicUrl ?? here;
}
