/**
 * The address of the page, which scenes start with and screens change. It is the real one of the window, so that screens that keep their
 * state in it work. Next makes the same of `history.pushState`: who shows the path or the query is drawn again.
 */

const listeners = new Set<() => void>();
/** Where a screen went that is not on the stage. Tests read it. */
export const visited: string[] = [];

for (const name of ['pushState', 'replaceState'] as const) {
  const original = history[name].bind(history);
  history[name] = (...args) => {
    original(...args);
    for (const listener of listeners) queueMicrotask(listener);
  };
}
window.addEventListener('popstate', () => {
  for (const listener of listeners) listener();
});

export function listenToAddress(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Follows a link inside the app: the address changes, and the scene stays. */
export function go(href: string, how: 'push' | 'replace' = 'push'): void {
  visited.push(href);
  if (how === 'push') history.pushState(null, '', href);
  else history.replaceState(null, '', href);
}
