/** The rows of a list that are in the page: the first one, and the one after the last. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** A list with at most this many rows is in the page as a whole. */
const fewRows = 100;

/** Rows are added and removed in steps of so many, so that most scrolling changes nothing. */
const stepRows = 16;

/** The rows that are in the page before the list has been measured: more than fit on a screen. */
export const rowsAtFirst: RowRange = { from: 0, to: 64 };

/**
 * Returns the rows in view of a list of rows of one height, with some to spare on both sides. `viewTop` is where the view begins,
 * measured from the top of the list, in the same unit as the heights.
 */
export function rowsInView(view: {
  readonly viewTop: number;
  readonly viewHeight: number;
  readonly rowHeight: number;
}) {
  const { viewTop, viewHeight, rowHeight } = view;
  if (!(rowHeight > 0)) return rowsAtFirst;
  const first = Math.floor(Math.max(viewTop, 0) / rowHeight / stepRows);
  const last = Math.ceil(Math.max(viewTop + viewHeight, 0) / rowHeight / stepRows);
  return { from: Math.max(first - 1, 0) * stepRows, to: (last + 1) * stepRows };
}

/**
 * Returns the rows that are in the page, each with the number of rows above it, from top to bottom. `kept` is one of them wherever
 * it is.
 */
export function drawnRows<Row>(
  rows: readonly Row[],
  { from, to }: RowRange,
  kept: Row | undefined,
): readonly { readonly row: Row; readonly place: number }[] {
  const placed = (some: readonly Row[], first: number) => some.map((row, at) => ({ row, place: first + at }));
  if (rows.length <= fewRows) return placed(rows, 0);
  const drawn = placed(rows.slice(from, to), from);
  const place = kept === undefined ? -1 : rows.indexOf(kept);
  if (kept === undefined || place === -1) return drawn;
  if (place < from) return [{ row: kept, place }, ...drawn];
  return place >= to ? [...drawn, { row: kept, place }] : drawn;
}
