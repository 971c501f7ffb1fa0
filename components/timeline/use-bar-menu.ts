'use client';

import { type RefObject, useState } from 'react';
import type { BarMenuPlace, TimelineProps } from './timeline-props';

export interface BarMenuModel {
  /** The menu that is open. */
  readonly shown: BarMenuPlace | undefined;
  /** Selects a bar and opens its menu at a place in the browser window, in CSS pixels. Unset if bars have no menu. */
  readonly openAt: ((span: number, x: number, y: number) => void) | undefined;
  /** Opens the menu of the selected bar of the row in the tab order, or of its instance, below the name of the row. */
  readonly openAtRow: () => void;
}

interface BarMenuTarget {
  readonly activeLane: number;
  readonly scroller: RefObject<HTMLElement | null>;
  /** Selects a bar. It must leave the focus to the menu, which closes when it loses the focus. */
  readonly select: (span: number) => void;
  readonly zoomTo: (spans: readonly number[]) => void;
}

/** The menu starts this far from the left edge of the name of its row, in CSS pixels. */
const indentPx = 24;

export function useBarMenu(
  { trace, selected, barMenu }: Pick<TimelineProps, 'trace' | 'selected' | 'barMenu'>,
  { activeLane, scroller, select, zoomTo }: BarMenuTarget,
): BarMenuModel {
  const [place, setPlace] = useState<Pick<BarMenuPlace, 'span' | 'x' | 'y'> | undefined>(undefined);
  const rowOf = (lane: number) => scroller.current?.querySelector<HTMLElement>(`[data-lane="${lane}"]`);
  const openAt = (span: number, x: number, y: number) => {
    select(span);
    setPlace({ span, x, y });
  };
  return {
    // While a play-head moves back, the bar of an open menu may be gone.
    shown:
      place === undefined || place.span >= trace.spans.length
        ? undefined
        : {
            ...place,
            onZoom: () => zoomTo([place.span]),
            onFocusBack: () => rowOf(trace.spans.lane.at(place.span))?.focus({ preventScroll: true }),
            onClose: () => setPlace(undefined),
          },
    openAt: barMenu === undefined ? undefined : openAt,
    openAtRow() {
      const isInRow = selected !== undefined && trace.spans.lane.at(selected) === activeLane;
      const span = isInRow ? selected : trace.lanes[activeLane]?.span;
      const row = rowOf(activeLane)?.getBoundingClientRect();
      if (span !== undefined && row !== undefined) openAt(span, row.left + indentPx, row.bottom);
    },
  };
}
