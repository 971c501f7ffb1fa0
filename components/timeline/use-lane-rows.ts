'use client';

import { type RefObject, useCallback, useEffect, useMemo, useRef } from 'react';
import { lanesAbove, type Rows } from '@/lib/trace/lanes';
import { opened, scrollToShow, toggled } from './lane-scroll';
import { type LaneLook, rowsOfView } from './rows-of-view';
import { axisPx } from './timeline-height';
import type { TimelineProps } from './timeline-props';

export interface LaneRows {
  readonly rows: Rows;
  readonly collapsed: ReadonlySet<number>;
  /** Hides the children of a lane, or shows them again. */
  toggle(lane: number): void;
  /** Shows the children beyond `max_display_instances`, or hides them again. */
  unfold(parent: number): void;
  /** Scrolls to a lane that has a row. */
  scrollToLane(lane: number): void;
  /** Opens the lanes above this one, if they hide it, then scrolls to it. */
  openTo(lane: number): void;
}

/** Decides which lanes have a row, and where in `scroller` each row is. */
export function useLaneRows(
  { trace, version, view, onView, now }: Pick<TimelineProps, 'trace' | 'version' | 'view' | 'onView' | 'now'>,
  scroller: RefObject<HTMLElement | null>,
  { height, roomPx, only }: LaneLook,
): LaneRows {
  const { collapsed, unfolded } = view;
  /** The lane to scroll to once its row exists. */
  const toReach = useRef<number | undefined>(undefined);
  const { laneVersion } = trace;
  const { sort } = view;
  /** Lanes in another order move when times and counts change; in the order of the calls only when lanes come. */
  const ranked = sort === 'order' ? 0 : version;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; these versions say when
  const rows = useMemo(
    () => rowsOfView(trace, view, { height, roomPx, only }, now()),
    [trace, laneVersion, ranked, collapsed, unfolded, sort, only, height, roomPx],
  );

  const scrollToLane = useCallback(
    (lane: number) => {
      const row = rows.rowOf[lane] ?? -1;
      const box = scroller.current;
      if (row < 0 || box === null) return;
      const place = { top: rows.tops[row] ?? 0, bottom: rows.tops[row + 1] ?? 0 };
      box.scrollTop = scrollToShow(place, { top: box.scrollTop, height: box.clientHeight - axisPx });
    },
    [rows, scroller],
  );

  const openTo = useCallback(
    (lane: number) => {
      if ((rows.rowOf[lane] ?? -1) >= 0) return scrollToLane(lane);
      onView((before) => ({ ...before, ...opened(before, lanesAbove(trace, lane)) }));
      toReach.current = lane;
    },
    [rows, trace, onView, scrollToLane],
  );

  useEffect(() => {
    if (toReach.current === undefined) return;
    scrollToLane(toReach.current);
    toReach.current = undefined;
  }, [scrollToLane]);

  return {
    rows,
    collapsed,
    toggle: (lane) => onView((before) => ({ ...before, collapsed: toggled(before.collapsed, lane) })),
    unfold: (parent) => onView((before) => ({ ...before, unfolded: toggled(before.unfolded, parent) })),
    scrollToLane,
    openTo,
  };
}
