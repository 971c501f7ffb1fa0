'use client';

import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Makes one Tab stop of a list whose rows are `li` with `aria-posinset` and a `[data-row]`. Arrows up and down walk the rows; Tab goes on
 * to what else is in the row with the focus, then leaves the list. `chosen` is the place of the row, counted from 1, that is the stop until
 * another one had the focus; without one it is the first row in view.
 */
export function useRowStop(list: RefObject<HTMLElement | null>, chosen: number | undefined) {
  const last = useRef<number | undefined>(undefined);
  // After each render, because rows come and go while the list is scrolled.
  useLayoutEffect(() => {
    const rows = rowsIn(list.current);
    const at = (place: number | undefined) => rows.find((row) => placeOf(row) === place);
    setStop(rows, at(last.current) ?? at(chosen) ?? rows[0]);
  });
  return {
    onFocus({ target }: FocusEvent<HTMLElement>) {
      const row = target.closest('li');
      if (row === null) return;
      last.current = placeOf(row);
      setStop(rowsIn(list.current), row);
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      const row = event.target instanceof Element ? event.target.closest('li') : null;
      if (by === 0 || row === null) return;
      event.preventDefault();
      const rows = rowsIn(list.current);
      rows[rows.indexOf(row) + by]?.querySelector<HTMLElement>('[data-row]')?.focus();
    },
  };
}

function rowsIn(list: HTMLElement | null): HTMLLIElement[] {
  return [...(list?.querySelectorAll<HTMLLIElement>('li[aria-posinset]') ?? [])];
}

function placeOf(row: HTMLLIElement): number {
  return Number(row.getAttribute('aria-posinset'));
}

function setStop(rows: readonly HTMLLIElement[], stop: HTMLLIElement | undefined): void {
  for (const row of rows) {
    for (const one of row.querySelectorAll<HTMLElement>('button, a[href]')) one.tabIndex = row === stop ? 0 : -1;
  }
}
