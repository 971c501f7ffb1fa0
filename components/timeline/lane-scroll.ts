/** Returns where to scroll so that [top, bottom] is in view, moving as little as possible. All are in pixels. */
export function scrollToShow(
  row: { readonly top: number; readonly bottom: number },
  view: { readonly top: number; readonly height: number },
): number {
  if (row.top < view.top) return row.top;
  // A row that is higher than the view shows its upper end.
  if (row.bottom > view.top + view.height) return Math.min(row.top, row.bottom - view.height);
  return view.top;
}

/** Which lanes hide their children, and which show those beyond `max_display_instances`. */
export interface LaneFolds {
  readonly collapsed: ReadonlySet<number>;
  readonly unfolded: ReadonlySet<number>;
}

/** Opens every lane of `above`, so that the lane below them has a row. Lanes beside them stay as they are. */
export function opened({ collapsed, unfolded }: LaneFolds, above: readonly number[]): LaneFolds {
  return {
    collapsed: new Set([...collapsed].filter((lane) => !above.includes(lane))),
    unfolded: new Set([...unfolded, ...above]),
  };
}

/** Returns the set with `one`, or without it if it was there. */
export function toggled(set: ReadonlySet<number>, one: number): ReadonlySet<number> {
  const next = new Set(set);
  if (!next.delete(one)) next.add(one);
  return next;
}
