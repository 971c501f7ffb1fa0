'use client';

import { type RefObject, useEffect, useRef } from 'react';
import { type BarsView, paintAll, perPx, sceneOf } from './bars-view';
import { PixelBars } from './pixel-bars';

/**
 * Paints one frame after each render. While the run is live it paints frame after frame, and skips those that would show
 * nothing new.
 */
export function useBarFrames(
  latest: RefObject<BarsView>,
  canvas: RefObject<HTMLCanvasElement | null>,
  axis: RefObject<HTMLCanvasElement | null>,
) {
  const frame = useRef(0);
  const bars = useRef<PixelBars | undefined>(undefined);
  const painted = useRef('');
  const dirty = useRef(true);
  useEffect(() => {
    const paint = () => {
      frame.current = 0;
      const view = latest.current;
      const scene = sceneOf(view);
      const key = `${view.trace.version} ${Math.floor(view.now() / perPx(scene))}`;
      if (
        scene !== undefined &&
        view.palette !== undefined &&
        (!view.live || key !== painted.current || dirty.current)
      ) {
        painted.current = key;
        dirty.current = false;
        bars.current ??= new PixelBars(view.palette.words);
        paintAll(scene, view, bars.current, canvas.current, axis.current);
      }
      if (latest.current.live) frame.current = requestAnimationFrame(paint);
    };
    dirty.current = true;
    if (frame.current === 0) frame.current = requestAnimationFrame(paint);
  });
  useEffect(
    () => () => {
      cancelAnimationFrame(frame.current);
      frame.current = 0;
    },
    [],
  );
}
