import type { ReactFlowState } from '@xyflow/react';

/**
 * How far away the graph is seen. Seen from `mid` and `away`, words on wires are larger, so that they are at least ten pixels
 * high. From further away they are hidden, while the numbers of steps grow.
 */
export type Distance = 'near' | 'mid' | 'away' | 'far' | 'farthest';

/** A selector for `useStore`: its users render again only when the distance changes, not on every step of a zoom. */
export function distanceOf({ transform }: Pick<ReactFlowState, 'transform'>): Distance {
  const zoom = transform[2];
  if (zoom >= 0.95) return 'near';
  if (zoom >= 0.7) return 'mid';
  if (zoom >= 0.55) return 'away';
  return zoom >= 0.4 ? 'far' : 'farthest';
}
