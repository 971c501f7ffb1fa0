import type { Figures } from '@/lib/trace/figures';
import type { ComparedRow } from './compare-figures';

/** `order` is that of the timelines. The others sort by how much b differs from a. */
export const rowColumns = [
  'order',
  'name',
  'time',
  'tokens',
  'cost',
  'models',
  'tools',
  'errors',
  'differences',
] as const;
export type RowColumn = (typeof rowColumns)[number];

export interface RowSort {
  readonly column: RowColumn;
  readonly descending: boolean;
}

/** Returns the order in which a column sorts first. */
export function firstSort(column: RowColumn): RowSort {
  return { column, descending: column !== 'name' && column !== 'order' };
}

/** Writes an order for the address, as `-time` for the largest first. */
export function sortToText({ column, descending }: RowSort): string {
  return descending ? `-${column}` : column;
}

/** Reads what `sortToText` wrote. Other text is the order of the timelines. */
export function sortFromText(text: string): RowSort {
  const descending = text.startsWith('-');
  const column = rowColumns.find((name) => name === (descending ? text.slice(1) : text));
  return column === undefined ? firstSort('order') : { column, descending };
}

/** Sorts rows. Rows without a value come last, and equal rows keep their order. */
export function sortComparedRows(
  rows: readonly ComparedRow[],
  { column, descending }: RowSort,
): readonly ComparedRow[] {
  if (column === 'order') return descending ? rows.toReversed() : rows;
  const sign = descending ? -1 : 1;
  if (column === 'name') return rows.toSorted((x, y) => sign * x.name.localeCompare(y.name, 'en', { numeric: true }));
  const value = (row: ComparedRow) => (column === 'differences' ? row.differences : deltaIn(row.delta, column));
  return rows.toSorted((x, y) => {
    const [left, right] = [value(x), value(y)];
    if (left === undefined || right === undefined) return (left === undefined ? 1 : 0) - (right === undefined ? 1 : 0);
    return sign * (left - right);
  });
}

/** Returns the delta that a column shows. */
export function deltaIn(
  delta: Figures,
  column: Exclude<RowColumn, 'order' | 'name' | 'differences'>,
): number | undefined {
  return column === 'tokens' ? delta.input + delta.output : delta[column];
}
