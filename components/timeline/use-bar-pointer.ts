'use client';

import { type MouseEvent, type PointerEvent, type RefObject, useRef } from 'react';
import { type BarsView, sceneOf, windowOfView } from './bars-view';
import { type Hit, hitAt, nextOf } from './hit-test';
import { pan, type TimeWindow } from './time-window';

/** A press that moves further than this many CSS pixels is a drag; any other is a click. */
const clickPx = 4;

/** The bar or mark under the pointer, and the place of the pointer in the browser window, in CSS pixels. */
export interface Hover extends Hit {
  readonly x: number;
  readonly y: number;
}

/** A press that may become a drag: where it began, with the window and the scroll position of that moment. */
interface Press {
  readonly x: number;
  readonly y: number;
  readonly window: TimeWindow;
  readonly scrollTop: number;
  moved: boolean;
}

/**
 * Handles pointing at a bar, clicking one, and dragging the picture: sideways through time, up and down through the rows.
 */
export function useBarPointer(
  latest: RefObject<BarsView>,
  canvas: RefObject<HTMLCanvasElement | null>,
  setHover: (hover: Hover | undefined) => void,
) {
  const press = useRef<Press | undefined>(undefined);

  const under = (event: MouseEvent) => {
    const scene = sceneOf(latest.current);
    const rect = canvas.current?.getBoundingClientRect();
    const y = event.clientY - (rect?.top ?? 0);
    return scene === undefined || y < 0 ? undefined : hitAt(scene, event.clientX - (rect?.left ?? 0), y);
  };

  const drag = (held: Press, event: PointerEvent) => {
    const { scroller, window, size, scale, now, extent = now, onWindow } = latest.current;
    const dx = event.clientX - held.x;
    const dy = event.clientY - held.y;
    if (!held.moved && Math.hypot(dx, dy) < clickPx) return;
    if (!held.moved) event.currentTarget.setPointerCapture(event.pointerId);
    held.moved = true;
    setHover(undefined);
    if (event.pointerType !== 'touch' && scroller.current !== null) scroller.current.scrollTop = held.scrollTop - dy;
    if (window === undefined) return;
    const share = -dx / Math.max(size.width, 1);
    onWindow(scale.change(held.window, scale.whole(extent()), (drawn, end) => pan(drawn, share, end)));
  };

  return {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return;
      const { scroller } = latest.current;
      press.current = {
        x: event.clientX,
        y: event.clientY,
        window: windowOfView(latest.current),
        scrollTop: scroller.current?.scrollTop ?? 0,
        moved: false,
      };
    },
    onPointerMove(event: PointerEvent) {
      if (press.current !== undefined) return drag(press.current, event);
      const hit = under(event);
      setHover(hit === undefined ? undefined : { ...hit, x: event.clientX, y: event.clientY });
    },
    onPointerUp(event: PointerEvent) {
      const held = press.current;
      press.current = undefined;
      if (held === undefined || held.moved) return;
      const hit = under(event);
      latest.current.onSelect(hit === undefined ? undefined : nextOf(hit, latest.current.selected));
    },
    onContextMenu(event: MouseEvent) {
      const hit = under(event);
      const { onMenu, selected } = latest.current;
      if (hit === undefined || onMenu === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      press.current = undefined;
      setHover(undefined);
      // Of bars too short to be told apart, a selected one keeps its menu.
      const isSelected = selected !== undefined && (hit.span === selected || hit.together.includes(selected));
      onMenu(isSelected ? selected : hit.span, event.clientX, event.clientY);
    },
    onPointerCancel() {
      press.current = undefined;
    },
    onPointerLeave() {
      setHover(undefined);
    },
  };
}
