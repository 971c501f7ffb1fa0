'use client';

import { useSyncExternalStore } from 'react';

let spoken = '';
const listeners = new Set<() => void>();

/** Lets a screen reader say a sentence when it has finished what it says now. The same sentence is said again if it comes again. */
export function announce(text: string): void {
  // A region whose text stays equal is not read again, so a repeated sentence differs by a space that is not seen.
  spoken = text === spoken ? `${text}\u00A0` : text;
  for (const listener of listeners) listener();
}

/** The live region that says what `announce` is given. A page renders it once. */
export function Announcer() {
  const text = useSyncExternalStore(
    subscribe,
    () => spoken,
    () => '',
  );
  return (
    <p aria-live="polite" data-announcer className="sr-only">
      {text}
    </p>
  );
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
