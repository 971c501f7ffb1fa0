/** Two seconds at sixty frames. What is drawn later is something else. */
const mostFrames = 120;

/**
 * Gives the focus to an element that an edit is about to draw, and gives it back while the edit settles: a node is another element after a
 * rename, is hidden until it is measured and each time it is measured again, and a hidden element neither takes the focus nor keeps it. The
 * focus is taken from nowhere, from the elements of `from`, and from those that got it here. It ends when the focus is elsewhere, with the
 * next key or press of a person, and after some frames.
 */
export function focusWhenDrawn(
  find: () => HTMLElement | null | undefined,
  from: readonly (Element | null | undefined)[],
): void {
  const acts = new AbortController();
  const holders = new Set(from);
  let left = mostFrames;
  const attempt = () => {
    left -= 1;
    const mayTake = isFocusLost() || holders.has(document.activeElement);
    if (acts.signal.aborted || left <= 0 || !mayTake) return acts.abort();
    const element = find();
    holders.add(element);
    if (document.activeElement !== element) element?.focus({ preventScroll: true });
    requestAnimationFrame(attempt);
  };
  for (const type of ['keydown', 'pointerdown']) {
    document.addEventListener(type, () => acts.abort(), { capture: true, signal: acts.signal });
  }
  requestAnimationFrame(() => requestAnimationFrame(attempt));
}

/** Tells whether no element has the focus, as after the one that had it was hidden or removed. A dialog gives it to the page then. */
function isFocusLost(): boolean {
  const places = [null, document.body, document.getElementById('main')];
  return places.some((place) => place === document.activeElement);
}
