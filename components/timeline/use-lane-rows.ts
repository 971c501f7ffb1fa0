'use client';

import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { lanesAbove, layoutRows, type Rows } from '@/lib/trace/lanes';
import type { Trace } from '@/lib/trace/trace';
import { axisPx } from './paint-labels';

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
export function useLaneRows(trace: Trace, scroller: RefObject<HTMLElement | null>): LaneRows {
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(new Set());
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  /** The lane to scroll to once its row exists. */
  const toReach = useRef<number | undefined>(undefined);
  const { laneVersion } = trace;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; laneVersion says when
  const rows = useMemo(() => layoutRows(trace, collapsed, unfolded), [trace, laneVersion, collapsed, unfolded]);

  const scrollToLane = useCallback(
    (lane: number) => {
      const row = rows.rowOf[lane] ?? -1;
      const box = scroller.current;
      if (row < 0 || box === null) return;
      const top = rows.tops[row] ?? 0;
      const bottom = rows.tops[row + 1] ?? 0;
      const height = box.clientHeight - axisPx;
      if (top < box.scrollTop) box.scrollTop = top;
      else if (bottom > box.scrollTop + height) box.scrollTop = bottom - height;
    },
    [rows, scroller],
  );

  const openTo = useCallback(
    (lane: number) => {
      if ((rows.rowOf[lane] ?? -1) >= 0) return scrollToLane(lane);
      const above = lanesAbove(trace, lane);
      setCollapsed((before) => new Set([...before].filter((one) => !above.includes(one))));
      setUnfolded((before) => new Set([...before, ...above]));
      toReach.current = lane;
    },
    [rows, trace, scrollToLane],
  );

  useEffect(() => {
    if (toReach.current === undefined) return;
    scrollToLane(toReach.current);
    toReach.current = undefined;
  }, [scrollToLane]);

  return {
    rows,
    collapsed,
    toggle: (lane) => setCollapsed(toggled(collapsed, lane)),
    unfold: (parent) => setUnfolded(toggled(unfolded, parent)),
    scrollToLane,
    openTo,
  };
}

function toggled(set: ReadonlySet<number>, one: number): ReadonlySet<number> {
  const next = new Set(set);
  if (!next.delete(one)) next.add(one);
  return next;
}
