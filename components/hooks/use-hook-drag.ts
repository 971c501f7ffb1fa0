import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { dropPlace } from './drop-place';

/** A hook that is being dragged along its list. */
export interface HookDrag {
  readonly id: string;
  /** The position (from 0, without the hook) at which it would be dropped. */
  readonly to: number;
  /** Why it cannot be dropped there. */
  readonly reason: string | undefined;
}

/** The pointer has moved this far before a press is a drag, in pixels. */
const leastDistance = 4;

/**
 * Lets hooks be dragged along a list with mouse, pen or finger. Items that take part have the attribute `data-hook`. Escape
 * cancels. The click that follows a drag is swallowed.
 */
export function useHookDrag(props: {
  readonly list: RefObject<HTMLElement | null>;
  readonly axis: 'x' | 'y';
  readonly reasonAgainst: (id: string, to: number) => string | undefined;
  readonly onDrop: (id: string, to: number) => void;
}) {
  const [drag, setDrag] = useState<HookDrag>();
  const end = useRef<() => void>(undefined);
  useEffect(() => () => end.current?.(), []);

  function begin(event: ReactPointerEvent, id: string) {
    if (event.button !== 0) return;
    end.current?.();
    end.current = followPointer(event, id, props, setDrag);
  }
  return { drag, begin };
}

type Following = Parameters<typeof useHookDrag>[0];

/** Follows the pointer until it is released. Returns a function that stops at once. */
function followPointer(
  start: ReactPointerEvent,
  id: string,
  { list, axis, reasonAgainst, onDrop }: Following,
  show: (drag: HookDrag | undefined) => void,
): () => void {
  const from = { x: start.clientX, y: start.clientY };
  let now: HookDrag | undefined;

  const update = (drag: HookDrag | undefined) => {
    now = drag;
    show(drag);
  };
  const onMove = (event: PointerEvent) => {
    if (now === undefined && Math.hypot(event.clientX - from.x, event.clientY - from.y) < leastDistance) return;
    const to = dropPlace(extentsIn(list.current, axis), id, axis === 'x' ? event.clientX : event.clientY);
    if (now === undefined || now.to !== to) update({ id, to, reason: reasonAgainst(id, to) });
  };
  const onUp = () => {
    const dropped = now;
    stop();
    if (dropped === undefined) return;
    swallowClick();
    if (dropped.reason === undefined) onDrop(dropped.id, dropped.to);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || now === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    stop();
    swallowClick();
  };
  const stop = () => {
    window.removeEventListener('pointermove', onMove);
    window.removeEventListener('pointerup', onUp);
    window.removeEventListener('pointercancel', stop);
    window.removeEventListener('keydown', onKey, true);
    update(undefined);
  };
  window.addEventListener('pointermove', onMove);
  window.addEventListener('pointerup', onUp);
  window.addEventListener('pointercancel', stop);
  window.addEventListener('keydown', onKey, true);
  return stop;
}

function extentsIn(list: HTMLElement | null, axis: 'x' | 'y') {
  return [...(list?.querySelectorAll<HTMLElement>('[data-hook]') ?? [])].map((item) => {
    const box = item.getBoundingClientRect();
    const id = item.getAttribute('data-hook') ?? '';
    return axis === 'x' ? { id, from: box.left, to: box.right } : { id, from: box.top, to: box.bottom };
  });
}

/** Swallows the click that the browser fires after a drag that ends on the element where it began. */
function swallowClick(): void {
  const swallow = (event: MouseEvent) => event.stopPropagation();
  window.addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 0);
}
