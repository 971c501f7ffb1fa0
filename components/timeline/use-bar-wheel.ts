'use client';

import { type RefObject, useEffect } from 'react';
import { type BarsView, windowOfView } from './bars-view';
import { pan, zoom } from './time-window';

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
      const { scale } = view;
      const end = scale.whole((view.extent ?? view.now)());
      const window = windowOfView(view);
      const left = element.getBoundingClientRect().left;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const at = (event.clientX - left) / Math.max(view.size.width, 1);
        const by = Math.exp(Math.max(-1, Math.min(1, event.deltaY / 200)));
        const next = scale.change(window, end, (drawn, all) => zoom(drawn, by, at, all));
        view.onWindow(scale.drawn(next.to) - scale.drawn(next.from) >= scale.drawn(end) * 0.999 ? undefined : next);
        return;
      }
      const sideways = event.shiftKey ? event.deltaY : event.deltaX;
      if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
        event.preventDefault();
        const share = sideways / Math.max(view.size.width, 1);
        if (view.window !== undefined) view.onWindow(scale.change(window, end, (drawn, all) => pan(drawn, share, all)));
      }
    };
    // The listener is added here, because React's own wheel listeners are passive and could not keep the page from zooming.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [box, latest]);
}
