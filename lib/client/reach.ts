/** Whether Callboard answers this page. Requests tell; one notice of the page says it for all of them. */

let isReached = true;
const listeners = new Set<() => void>();

/** Takes whether a request got an answer, whatever it says. */
export function hearReach(got: boolean): void {
  if (got === isReached) return;
  isReached = got;
  for (const listener of listeners) listener();
}

export function isCallboardReached(): boolean {
  return isReached;
}

/** Runs `callback` when the answer of `isCallboardReached` changes. Returns an unsubscribe function. */
export function onReach(callback: () => void): () => void {
  listeners.add(callback);
  return () => {
    listeners.delete(callback);
  };
}
