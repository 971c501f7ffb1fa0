/** Whether the server still knows who uses this page. A session may end while a page is open: it was revoked, or its time is over. */

let isOut = false;
const listeners = new Set<() => void>();

/** Takes the status of an answer of the API: 401 means that nobody is signed in, any other that somebody is. */
export function hearStatus(status: number): void {
  const next = status === 401;
  if (next === isOut) return;
  isOut = next;
  for (const listener of listeners) listener();
}

export function isSignedOut(): boolean {
  return isOut;
}

/** Runs `callback` when the answer of `isSignedOut` changes. Returns an unsubscribe function. */
export function onSignedOut(callback: () => void): () => void {
  listeners.add(callback);
  return () => {
    listeners.delete(callback);
  };
}

/** The sentence for what was refused because the session has ended. */
export const signedOutSentence = 'You are signed out. Sign in again, then repeat it; what is on this page is kept.';
