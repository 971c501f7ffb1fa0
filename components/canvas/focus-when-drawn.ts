/** A second at sixty frames. Who waits longer has gone on. */
const mostFrames = 60;

/**
 * Gives the focus to an element that an edit is about to draw. It tries again at each frame, because a node is hidden until it is measured, and
 * a hidden element takes no focus. It ends when the element has the focus, when `mayTake` says no (the focus has moved elsewhere), or
 * after a second.
 */
export function focusWhenDrawn(find: () => HTMLElement | null | undefined, mayTake: () => boolean): void {
  let left = mostFrames;
  const attempt = () => {
    if (!mayTake()) return;
    const element = find() ?? undefined;
    element?.focus({ preventScroll: true });
    left -= 1;
    const isDone = element !== undefined && document.activeElement === element;
    if (!isDone && left > 0) requestAnimationFrame(attempt);
  };
  requestAnimationFrame(() => requestAnimationFrame(attempt));
}
