/** The extent of a hook on the screen along the list. */
export interface Extent {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

/** Returns the position (from 0, without the dragged hook) at which a hook is dropped when the pointer is at `at`. */
export function dropPlace(extents: readonly Extent[], dragged: string, at: number): number {
  return extents.filter(({ id, from, to }) => id !== dragged && (from + to) / 2 < at).length;
}
