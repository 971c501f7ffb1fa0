/** Two seconds at sixty frames. What is drawn later is something else. */
const mostFrames = 120;

/**
 * Gives the focus to an element that an edit is about to draw, and gives it back while the edit settles: a node is hidden until it is measured
 * and each time it is measured again, and a hidden element neither takes the focus nor keeps it. The focus is taken from `from` or from
 * nowhere; it ends when the focus is elsewhere, with the next key or press of a person, and after some frames.
 */
export function focusWhenDrawn(find: () => HTMLElement | null | undefined, from: Element | null): void {
  const acts = new AbortController();
  let had = false;
  let left = mostFrames;
  const attempt = () => {
    const element = find() ?? undefined;
    const isFocused = element !== undefined && document.activeElement === element;
    left -= 1;
    const goesOn =
      !acts.signal.aborted && left > 0 && (isFocused || isFocusLost() || (!had && document.activeElement === from));
    if (!goesOn) return acts.abort();
    if (!isFocused) element?.focus({ preventScroll: true });
    had ||= element !== undefined && document.activeElement === element;
    requestAnimationFrame(attempt);
  };
  for (const type of ['keydown', 'pointerdown']) {
    document.addEventListener(type, () => acts.abort(), { capture: true, signal: acts.signal });
  }
  requestAnimationFrame(() => requestAnimationFrame(attempt));
}

/** Tells whether no element has the focus, as after the one that had it was hidden or removed. */
function isFocusLost(): boolean {
  return document.activeElement === document.body || document.activeElement === null;
}
