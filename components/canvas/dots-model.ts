/** The dots of the grid as they are on the screen, in pixels. */
export interface ShownDots {
  /** The distance between two dots, or `undefined` if they are too dense to be drawn. */
  readonly gap: number | undefined;
  /** How far the first dot is from the corner, less than one gap. */
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Dots that are closer are a grey area, and take the browser long to paint. */
const densestPx = 9;

/** Returns the dots of a grid whose lines are `grid` units of the canvas apart. There is one at the origin of the canvas. */
export function dotsOf([x, y, zoom]: readonly [number, number, number], grid: number): ShownDots {
  const gap = grid * zoom;
  if (gap < densestPx) return { gap: undefined, x: 0, y: 0, radius: 0 };
  return { gap, x: remainder(x, gap), y: remainder(y, gap), radius: zoom / 2 };
}

function remainder(value: number, of: number): number {
  return ((value % of) + of) % of;
}
