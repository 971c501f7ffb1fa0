'use client';

import { useCallback, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Values that could not be stored, because storage is off or full. They last until the page is closed. */
const unstored = new Map<string, string>();

function read(key: string): string | null {
  try {
    return unstored.get(key) ?? window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Keeps a string that this browser remembers under `callboard.<key>`, the same in every component and tab. The server
 * renders with the fallback.
 */
export function useRemembered(key: string, fallback: string): readonly [string, (value: string) => void] {
  const name = `callboard.${key}`;
  const value = useSyncExternalStore(
    subscribe,
    () => read(name) ?? fallback,
    () => fallback,
  );
  const set = useCallback(
    (next: string) => {
      try {
        window.localStorage.setItem(name, next);
        unstored.delete(name);
      } catch {
        unstored.set(name, next);
      }
      for (const listener of listeners) listener();
    },
    [name],
  );
  return [value, set];
}
