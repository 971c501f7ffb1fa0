'use client';

import { type ReactFlowState, useStoreApi } from '@xyflow/react';
import { type RefObject, useEffect } from 'react';

/** The view of the canvas: its size in pixels, and how it is moved and scaled. */
export type ShownView = Pick<ReactFlowState, 'width' | 'height' | 'transform'>;

/** Paints a picture of a view. `colourOf` returns the value of a token such as `--agent` in the present theme. */
export type PaintView = (canvas: HTMLCanvasElement, view: ShownView, colourOf: (token: string) => string) => void;

/**
 * Paints into a `<canvas>`, and again when the view moves or changes its size, or the theme changes, at most once a frame.
 * Nothing renders for it. Another `paint` paints at once; `undefined` paints nothing.
 */
export function useViewPainter(canvas: RefObject<HTMLCanvasElement | null>, paint: PaintView | undefined): void {
  const store = useStoreApi();
  useEffect(() => {
    const element = canvas.current;
    if (element === null || paint === undefined) return;
    let colours = themeColours();
    let frame = 0;
    let painted: ReactFlowState['transform'] | undefined;
    const paintNow = () => {
      frame = 0;
      painted = store.getState().transform;
      paint(element, store.getState(), colours);
    };
    const paintSoon = () => {
      if (frame === 0) frame = requestAnimationFrame(paintNow);
    };
    paintNow();
    const unsubscribe = store.subscribe((state, before) => {
      const moved = state.transform !== painted && state.transform !== before.transform;
      if (moved || state.width !== before.width || state.height !== before.height) paintSoon();
    });
    const observer = new MutationObserver(() => {
      colours = themeColours();
      paintSoon();
    });
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class'] });
    return () => {
      unsubscribe();
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [store, canvas, paint]);
}

/** Returns a reader of tokens that asks the browser once for each, because asking makes it compute styles. */
function themeColours(): (token: string) => string {
  const style = getComputedStyle(document.documentElement);
  const read = new Map<string, string>();
  return (token) => {
    const known = read.get(token) ?? style.getPropertyValue(token);
    read.set(token, known);
    return known;
  };
}

/** Gives a canvas the size of its place on the screen, and returns its pen, which is scaled for this, on an empty picture. */
export function emptyPicture(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
): CanvasRenderingContext2D | undefined {
  const pen = canvas.getContext('2d');
  if (pen === null) return undefined;
  const ratio = window.devicePixelRatio;
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  pen.resetTransform();
  pen.clearRect(0, 0, wide, high);
  pen.scale(ratio, ratio);
  return pen;
}
