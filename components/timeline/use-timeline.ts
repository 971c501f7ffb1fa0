'use client';

import { type KeyboardEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { lanesAbove } from '@/lib/trace/lanes';
import { stepError } from '@/lib/trace/moment-steps';
import { spanEnd } from '@/lib/trace/trace';
import { actOnKey } from './act-on-key';
import { type KeyAction, keyAction } from './keys';
import type { LaneLook } from './rows-of-view';
import { evenScale } from './time-scale';
import { reveal, zoom } from './time-window';
import type { TimelineProps } from './timeline-props';
import { type BarMenuModel, useBarMenu } from './use-bar-menu';
import { type LaneRows, useLaneRows } from './use-lane-rows';
import { nextSlowest, windowOf } from './walk';
import { zoomPivot } from './zoom-pivot';

export interface TimelineModel extends Pick<LaneRows, 'rows' | 'collapsed'> {
  /** The end of the window of the whole run, in microseconds. */
  readonly end: number;
  readonly activeLane: number;
  /** False until somebody has pointed at something. Before that no lane is marked. */
  readonly touched: boolean;
  readonly setActiveLane: (lane: number) => void;
  /** Selects a span from anywhere: opens and scrolls to its row, and moves the time window to it. */
  readonly select: (span: number | undefined) => void;
  /** The menu of a bar. */
  readonly menu: BarMenuModel;
  /** Selects a span that was clicked among the bars. */
  readonly selectBar: (span: number | undefined) => void;
  readonly selectNextError: () => void;
  readonly selectNextSlowest: () => void;
  /** Gives the keyboard focus to the lanes. */
  readonly focusLanes: () => void;
  /** Zooms by a factor; a factor below 1 zooms in. */
  readonly zoomBy: (by: number) => void;
  readonly zoomTo: (spans: readonly number[]) => void;
  /**
   * Handlers for the names of the lanes. They never change, because the names should be drawn again for news of the run but
   * not for each step of a zoom.
   */
  readonly lanes: LaneHandlers;
}

export interface LaneHandlers {
  readonly pick: (lane: number) => void;
  readonly toggle: (lane: number) => void;
  readonly unfold: (parent: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

const plain = { scale: evenScale };

/** Returns what a person can do with the bars and names of a run. */
export function useTimeline(
  props: TimelineProps,
  scroller: RefObject<HTMLDivElement | null>,
  look: LaneLook,
): TimelineModel {
  const { trace, now, extent = now, selected, onSelect, window, onWindow, keys, short: { scale } = plain } = props;
  const [activeLane, setActive] = useState(0);
  const [touched, setTouched] = useState(false);
  const { rows, collapsed, toggle, unfold, scrollToLane, openTo } = useLaneRows(props, scroller, look);
  const end = scale.whole(extent());
  const shown = window ?? { from: 0, to: end };

  const setActiveLane = useCallback((lane: number) => {
    setActive(lane);
    setTouched(true);
  }, []);
  const hasRow = (one: number) => (rows.rowOf[one] ?? -1) >= 0;
  useShowSelected(props, (lane) => {
    const staysFolded = selected === props.linked && props.view.collapsed.size > 0 && !hasRow(lane);
    setActiveLane(staysFolded ? (lanesAbove(trace, lane).find(hasRow) ?? lane) : lane);
    if (!staysFolded) openTo(lane);
  });
  useFollowed(props, (lane) => scrollToLane([lane, ...lanesAbove(trace, lane)].find(hasRow) ?? lane));
  const select = (span: number | undefined, reach = true) => {
    onSelect(span);
    if (span === undefined) return;
    const lane = trace.spans.lane.at(span);
    setActiveLane(lane);
    openTo(lane);
    if (reach && window !== undefined) {
      const [from, to] = [scale.drawn(trace.spans.start.at(span)), scale.drawn(spanEnd(trace, span, now()))];
      const next = scale.change(window, end, (drawn, all) => reveal(drawn, from, to, all));
      if (next !== window) onWindow(next);
    }
  };
  const focusLane = (lane: number) => {
    setActiveLane(lane);
    scrollToLane(lane);
    focusRow(scroller, lane);
  };
  const zoomTo = (spans: readonly number[]) => onWindow(windowOf(trace, spans, now(), end));
  const pivot = () => zoomPivot(trace, shown, { moment: props.moment, selected, now: now(), scale });
  const menu = useBarMenu(props, { activeLane, scroller, select: (span) => select(span, false), zoomTo });
  const pick = (lane: number) => select(trace.lanes[lane]?.span, false);
  const act = (action: KeyAction, focus: (lane: number) => void) => {
    const clear = () => onSelect(undefined);
    const target = { trace, rows, activeLane, selected, shown, scale, now: now(), end, pivot, onWindow };
    actOnKey(action, { ...target, select, clear, focusLane: focus, toggle, pick, openMenu: menu.openAtRow });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const action = keyAction(event);
    // Without a menu of ours the browser shows its own.
    if (action === undefined || (action.do === 'menu' && props.barMenu === undefined)) return;
    event.preventDefault();
    event.stopPropagation();
    act(action, focusLane);
  };
  useKeysElsewhere(keys, (action) => act(action, () => {}));
  return {
    rows,
    collapsed,
    end,
    activeLane,
    touched,
    setActiveLane,
    select,
    selectBar: (span) => {
      select(span, false);
      // A click beside the bars takes the selection away, and the view stays where it is.
      return span === undefined ? focusRow(scroller, activeLane) : focusLane(trace.spans.lane.at(span));
    },
    menu,
    selectNextError: () => select(stepError(trace, selected, 1)),
    selectNextSlowest: () => select(nextSlowest(trace, selected, now())),
    focusLanes: () => focusLane(activeLane),
    zoomBy: (by) => onWindow(scale.change(shown, end, (drawn, all) => zoom(drawn, by, pivot(), all))),
    zoomTo,
    lanes: useStableHandlers({ pick, toggle, unfold, onKeyDown }),
  };
}

/** Gives a row the focus. The caller scrolls: what the browser scrolls by itself would come on top, while the rows are not drawn anew. */
function focusRow(scroller: RefObject<HTMLDivElement | null>, lane: number): void {
  const row = () => scroller.current?.querySelector<HTMLElement>(`[data-lane="${lane}"]`);
  requestAnimationFrame(() => row()?.focus({ preventScroll: true }));
}

/** What makes sense only where the focus is in a row. */
const inLanesOnly: ReadonlySet<KeyAction['do']> = new Set(['row', 'edge', 'toggle', 'clear', 'menu']);

/** Gives the page what the keys do, as long as the timeline is there. */
function useKeysElsewhere(keys: TimelineProps['keys'], act: (action: KeyAction) => void) {
  useEffect(() => {
    if (keys === undefined) return;
    keys.current = (event) => {
      const action = keyAction(event);
      if (action === undefined || inLanesOnly.has(action.do)) return false;
      act(action);
      return true;
    };
    return () => {
      keys.current = undefined;
    };
  });
}

/** Brings a selection that arrives from outside (a link, the history) into view once. */
function useShowSelected({ selected, trace }: Pick<TimelineProps, 'selected' | 'trace'>, show: (lane: number) => void) {
  const seen = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (selected === seen.current) return;
    seen.current = selected;
    if (selected !== undefined) show(trace.spans.lane.at(selected));
  }, [selected, trace, show]);
}

/** Keeps the row of the followed span in view. */
function useFollowed({ followed, trace }: Pick<TimelineProps, 'followed' | 'trace'>, show: (lane: number) => void) {
  const lane = followed === undefined ? undefined : trace.spans.lane.at(followed);
  const latest = useRef(show);
  latest.current = show;
  useEffect(() => {
    if (lane !== undefined) latest.current(lane);
  }, [lane]);
}

/** Returns handlers that never change and call the latest ones given. */
function useStableHandlers(handlers: LaneHandlers): LaneHandlers {
  const latest = useRef(handlers);
  latest.current = handlers;
  const [stable] = useState<LaneHandlers>(() => ({
    pick: (lane) => latest.current.pick(lane),
    toggle: (lane) => latest.current.toggle(lane),
    unfold: (parent) => latest.current.unfold(parent),
    onKeyDown: (event) => latest.current.onKeyDown(event),
  }));
  return stable;
}
