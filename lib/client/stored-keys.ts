/** Keys of providers and other secrets that were stored or removed: every part of a page, and every tab of the browser, hears of it. */

const name = 'callboard:keys';
const listeners = new Set<() => void>();
let channel: BroadcastChannel | undefined;

/** Tells this tab and the others that a secret was stored or removed. */
export function tellKeysChanged(): void {
  if (typeof BroadcastChannel === 'undefined') {
    tellHere();
    return;
  }
  const sending = channel ?? new BroadcastChannel(name);
  sending.postMessage('changed');
  if (sending !== channel) sending.close();
  tellHere();
}

/** Runs `listener` after each change, wherever in the browser it was made. Returns an unsubscribe function. */
export function onKeysChanged(listener: () => void): () => void {
  listeners.add(listener);
  if (channel === undefined && typeof BroadcastChannel !== 'undefined') {
    channel = new BroadcastChannel(name);
    channel.onmessage = tellHere;
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    channel?.close();
    channel = undefined;
  };
}

function tellHere(): void {
  for (const listener of listeners) listener();
}
