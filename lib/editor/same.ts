import type { Points } from './place-nodes';

/** True for the same ids in the same order. */
export function sameIds(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}

/** True for the same places of the same nodes. */
export function samePoints(a: Points, b: Points): boolean {
  const ids = Object.keys(a);
  if (ids.length !== Object.keys(b).length) return false;
  return ids.every((id) => a[id]?.x === b[id]?.x && a[id]?.y === b[id]?.y);
}
