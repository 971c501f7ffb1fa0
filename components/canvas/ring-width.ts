/** The width of the ring on the screen, at least. */
const leastPx = 2.5;

/**
 * Returns the width in canvas units of the ring around a selected node. The ring grows as the graph gets smaller, so that it
 * never becomes a hair. It grows in steps, so that a zoom seldom renders it.
 */
export function ringWidth(zoom: number): number {
  const step = Math.ceil(2 * Math.log2(1 / zoom)) / 2;
  return leastPx * 2 ** Math.max(step, 0);
}
