import type { ReactNode } from 'react';

/**
 * The rows of a picker's list, without a screen: what a search finds, in which order, which row is marked, and which rows
 * of a long list are drawn.
 */

export interface PickerOption {
  readonly value: string;
  readonly label: string;
  /** One line about the option. It is shown below the label, and the search finds it. */
  readonly note?: string | undefined;
  /** Options with the same group stand together below its name. */
  readonly group?: string | undefined;
  readonly icon?: ReactNode;
  /** More words that the search finds. They are not shown. */
  readonly words?: string | undefined;
  readonly disabled?: boolean | undefined;
  /** True for an option that does something else than being chosen. It is marked first only if there is nothing else. */
  readonly isAside?: boolean | undefined;
}

/** A row that is not an option, such as "Create agent". */
export interface PickerAction {
  /** Returns the text of the row for what is typed in the search field, or `undefined` if there is no such row. */
  readonly label: (typed: string) => string | undefined;
  /** One line below the label. */
  readonly note?: (typed: string) => string | undefined;
  readonly onSelect: (typed: string) => void;
  readonly icon?: ReactNode;
  /** True if the action moves the focus elsewhere. Otherwise the focus goes back to the picker. */
  readonly movesFocus?: boolean;
}

export type PickerRow =
  | { readonly kind: 'heading'; readonly group: string }
  | { readonly kind: 'none'; readonly label: string }
  | { readonly kind: 'option'; readonly option: PickerOption }
  | { readonly kind: 'typed'; readonly text: string }
  | {
      readonly kind: 'action';
      readonly action: PickerAction;
      readonly label: string;
      readonly note?: string | undefined;
    };

export interface PickerContent {
  readonly options: readonly PickerOption[];
  readonly actions?: readonly PickerAction[] | undefined;
  /** Actions that come before the options. */
  readonly first?: readonly PickerAction[] | undefined;
  /** The label of the row that chooses nothing. Without it something must be chosen. */
  readonly none?: string | undefined;
  /** True if the typed text may be chosen although it is no option. */
  readonly freeText?: boolean | undefined;
}

/** Returns the rows for the text of the search field. An empty text finds every option, in the given order. */
export function pickerRows(content: PickerContent, typed: string): readonly PickerRow[] {
  const text = typed.trim();
  const rows: PickerRow[] = [];
  if (content.none !== undefined && text === '') rows.push({ kind: 'none', label: content.none });
  rows.push(...actionRows(content.first, text));
  for (const [group, options] of grouped(found(content.options, text))) {
    if (group !== '') rows.push({ kind: 'heading', group });
    rows.push(...options.map((option) => ({ kind: 'option', option }) as const));
  }
  const isOption = content.options.some(({ value, label }) => value === text || label === text);
  if (content.freeText && text !== '' && !isOption) rows.push({ kind: 'typed', text });
  rows.push(...actionRows(content.actions, text));
  return rows;
}

function actionRows(actions: readonly PickerAction[] = [], text: string): PickerRow[] {
  return actions.flatMap((action) => {
    const label = action.label(text);
    const note = action.note?.(text);
    return label === undefined ? [] : [{ kind: 'action', action, label, ...(note === undefined ? {} : { note }) }];
  });
}

function found(options: readonly PickerOption[], text: string): readonly PickerOption[] {
  if (text === '') return options;
  const query = text.toLowerCase();
  return options
    .flatMap((option) => {
      const rank = rankOf(option, query);
      return rank === undefined ? [] : [{ option, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ option }) => option);
}

/** Returns how well an option fits, best first: 0 is the label itself. `undefined` means that it does not fit. */
function rankOf(option: PickerOption, query: string): number | undefined {
  const label = option.label.toLowerCase();
  if (label === query) return 0;
  if (label.startsWith(query)) return 1;
  const at = label.indexOf(query);
  if (at > 0) return isWordChar(label.charAt(at - 1)) ? 3 : 2;
  const all = `${label} ${option.group ?? ''} ${option.note ?? ''} ${option.words ?? ''}`.toLowerCase();
  return query.split(/\s+/).every((word) => all.includes(word)) ? 4 : undefined;
}

function isWordChar(char: string): boolean {
  return /[\p{L}\p{N}]/u.test(char);
}

/** Groups keep the order in which their first options come. */
function grouped(options: readonly PickerOption[]): ReadonlyMap<string, readonly PickerOption[]> {
  const groups = new Map<string, PickerOption[]>();
  for (const option of options) {
    const members = groups.get(option.group ?? '');
    if (members === undefined) groups.set(option.group ?? '', [option]);
    else members.push(option);
  }
  return groups;
}

export function isSelectable(row: PickerRow | undefined): boolean {
  if (row === undefined) return false;
  return row.kind === 'option' ? row.option.disabled !== true : row.kind !== 'heading';
}

/**
 * Returns the row that is marked first: the chosen one before anything is typed, then an option with a word that begins
 * with the typed text, otherwise the first row. -1 if none.
 */
export function firstMarked(rows: readonly PickerRow[], typed: string, chosen: ReadonlySet<string>): number {
  if (typed.trim() === '') {
    const at = rows.findIndex((row) => row.kind === 'option' && chosen.has(row.option.value) && isSelectable(row));
    if (at >= 0) return at;
  }
  const isBest = (row: PickerRow) => isSelectable(row) && (row.kind !== 'option' || row.option.isAside !== true);
  const text = typed.trim().toLowerCase();
  const begun = rows.findIndex(
    (row) => text !== '' && row.kind === 'option' && isBest(row) && (rankOf(row.option, text) ?? 4) <= 2,
  );
  const best = begun >= 0 ? begun : rows.findIndex(isBest);
  return best >= 0 ? best : rows.findIndex(isSelectable);
}

/** Returns the row that a key marks next, or `undefined` for other keys. The arrows go round; a page is ten rows. */
export function markedAfter(key: string, rows: readonly PickerRow[], marked: number): number | undefined {
  const selectable = rows.flatMap((row, index) => (isSelectable(row) ? [index] : []));
  const last = selectable.length - 1;
  if (last < 0) return undefined;
  const at = selectable.indexOf(marked);
  switch (key) {
    case 'ArrowDown':
      return selectable[at === last ? 0 : at + 1];
    case 'ArrowUp':
      return selectable[at <= 0 ? last : at - 1];
    case 'PageDown':
      return selectable[Math.min(last, at + 10)];
    case 'PageUp':
      return selectable[Math.max(0, at - 10)];
    default:
      return undefined;
  }
}

/** Returns the top of each row in pixels, and after the last one the height of the whole list. */
export function rowTops(rows: readonly PickerRow[]): readonly number[] {
  const tops = [0];
  for (const row of rows) tops.push((tops.at(-1) ?? 0) + rowHeight(row));
  return tops;
}

function rowHeight(row: PickerRow): number {
  if (row.kind === 'heading') return 26;
  return noteOf(row) ? 44 : 30;
}

/** Returns the second line of a row. */
export function noteOf(row: PickerRow): string | undefined {
  if (row.kind === 'option') return row.option.note;
  return row.kind === 'action' ? row.note : undefined;
}

/** A list with more rows than this draws only those in view. */
export const manyRows = 200;

/** Returns the first row that is drawn and the one after the last, for the part of the list that is in view. */
export function drawnRows(tops: readonly number[], scrollTop: number, viewHeight: number): readonly [number, number] {
  const count = tops.length - 1;
  if (count <= manyRows) return [0, count];
  const margin = 200;
  return [rowAt(tops, scrollTop - margin), Math.min(count, rowAt(tops, scrollTop + viewHeight + margin) + 1)];
}

/** Returns the row at a height, by bisection. */
function rowAt(tops: readonly number[], height: number): number {
  let low = 0;
  let high = tops.length - 2;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] ?? 0) <= height) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns the scroll position, in pixels, that shows a row whole. It stays as it is if the row is in view. */
export function scrollToRow(tops: readonly number[], row: number, scrollTop: number, viewHeight: number): number {
  const top = tops[row] ?? 0;
  const bottom = tops[row + 1] ?? top;
  if (top < scrollTop) return top;
  return bottom > scrollTop + viewHeight ? bottom - viewHeight : scrollTop;
}
