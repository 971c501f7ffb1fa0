'use client';

import { type RefObject, useEffect } from 'react';
import type { BarsView } from './bars-view';
import { pan, wholeRun, zoom } from './time-window';

/**
 * Handles the wheel. With Ctrl it zooms at the pointer. A sideways wheel, or the wheel with Shift, moves through time.
 * Otherwise the rows scroll.
 */
export function useBarWheel(box: RefObject<HTMLElement | null>, latest: RefObject<BarsView>) {
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      const view = latest.current;
      const end = wholeRun((view.extent ?? view.now)());
      const window = view.window ?? { from: 0, to: end };
      const left = element.getBoundingClientRect().left;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const at = (event.clientX - left) / Math.max(view.size.width, 1);
        const next = zoom(window, Math.exp(Math.max(-1, Math.min(1, event.deltaY / 200))), at, end);
        view.onWindow(next.to - next.from >= end * 0.999 ? undefined : next);
        return;
      }
      const sideways = event.shiftKey ? event.deltaY : event.deltaX;
      if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
        event.preventDefault();
        if (view.window !== undefined) view.onWindow(pan(window, sideways / Math.max(view.size.width, 1), end));
      }
    };
    // The listener is added here, because React's own wheel listeners are passive and could not keep the page from zooming.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [box, latest]);
}
