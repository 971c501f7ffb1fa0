'use client';

import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useSize } from '@/components/timeline/use-size';
import { classNames } from '@/components/ui/class-names';

export interface RowListProps {
  readonly label: string;
  readonly count: number;
  /** The titles of the columns, in a row above the others. */
  readonly header: ReactNode;
  /** Returns the cells of a row. */
  readonly children: (row: number) => ReactNode;
  readonly keyOf: (row: number) => string | number;
  /** The marked row, which is scrolled into view when it changes. */
  readonly marked?: number | undefined;
  readonly onPick: (row: number) => void;
  /** CSS classes with the widths of the columns. */
  readonly columns: string;
}

export const rowPx = 26;
const headerPx = 28;
const spareRows = 6;

/**
 * A grid of any length. Only the rows in view are rendered. Arrows, Home and End move between rows, Enter and Space pick
 * one.
 */
export function RowList({ label, count, header, children, keyOf, marked, onPick, columns }: RowListProps) {
  const box = useRef<HTMLDivElement>(null);
  const { height } = useSize(box);
  const [scrollTop, setScrollTop] = useState(0);
  const [active, setActive] = useState(0);
  const first = Math.max(0, Math.floor(scrollTop / rowPx) - spareRows);
  const last = Math.min(count, Math.ceil((scrollTop + height) / rowPx) + spareRows);
  const focusable = Math.min(Math.max(active, first), Math.max(last - 1, 0));

  useEffect(() => {
    if (marked === undefined || marked < 0) return;
    setActive(marked);
    scrollTo(box.current, marked);
  }, [marked]);

  const onKeyDown = (event: KeyboardEvent) => {
    const to = target(event.key, focusable, count);
    if (to === undefined) return;
    event.preventDefault();
    setActive(to);
    scrollTo(box.current, to);
    // The row may be rendered only after the scroll.
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-row="${to}"]`)?.focus());
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are positioned, which table elements do not allow
    <div
      ref={box}
      role="grid"
      aria-label={label}
      aria-rowcount={count + 1}
      onKeyDown={onKeyDown}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      className="relative h-full min-h-0 overflow-auto text-xs"
    >
      <div role="presentation" className="sticky top-0 z-10 min-w-max bg-surface">
        {/* biome-ignore lint/a11y/useFocusableInteractive: a row of titles */}
        {/* biome-ignore lint/a11y/useSemanticElements: as the grid */}
        <div role="row" aria-rowindex={1} className={classNames('grid border-b', columns)} style={{ height: headerPx }}>
          {header}
        </div>
      </div>
      <div role="presentation" className="relative min-w-max" style={{ height: count * rowPx }}>
        {Array.from({ length: Math.max(0, last - first) }, (_, i) => {
          const row = first + i;
          return (
            // biome-ignore lint/a11y/useSemanticElements: as the grid
            <div
              key={keyOf(row)}
              role="row"
              data-row={row}
              aria-rowindex={row + 2}
              aria-selected={row === marked}
              tabIndex={row === focusable ? 0 : -1}
              onFocus={() => setActive(row)}
              onClick={() => onPick(row)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' && event.key !== ' ') return;
                event.preventDefault();
                onPick(row);
              }}
              className={classNames(
                'absolute inset-x-0 grid cursor-pointer items-center border-ground border-b hover:bg-hover focus-visible:-outline-offset-2',
                columns,
                row === marked && 'bg-accent-soft hover:bg-accent-soft',
              )}
              style={{ top: row * rowPx, height: rowPx }}
            >
              {children(row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function target(key: string, from: number, count: number): number | undefined {
  const to =
    key === 'ArrowDown' ? from + 1 : key === 'ArrowUp' ? from - 1 : key === 'Home' ? 0 : key === 'End' ? count - 1 : -2;
  return to === -2 || count === 0 ? undefined : Math.min(Math.max(to, 0), count - 1);
}

function scrollTo(box: HTMLDivElement | null, row: number): void {
  if (box === null) return;
  const top = row * rowPx;
  const room = box.clientHeight - headerPx;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + rowPx > box.scrollTop + room) box.scrollTop = top + rowPx - room;
}
