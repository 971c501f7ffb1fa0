import { NO_LANE, type Rows } from '@/lib/trace/lanes';
import { stepError } from '@/lib/trace/moment-steps';
import type { Trace } from '@/lib/trace/trace';
import type { KeyAction } from './keys';
import type { TimeScale } from './time-scale';
import { pan, type TimeWindow, zoom } from './time-window';
import { nextSlowest, stepFromRow, stepInLane, windowOf } from './walk';

/** The state of the timeline when a key is pressed, and the actions that keys can do. */
export interface KeyTarget {
  readonly trace: Trace;
  readonly rows: Rows;
  readonly activeLane: number;
  readonly selected: number | undefined;
  readonly shown: TimeWindow;
  readonly scale: TimeScale;
  /** Microseconds since the run's origin: now, and the end of the whole window. */
  readonly now: number;
  readonly end: number;
  /** What stays in its place in a zoom, as a share of the window. */
  pivot(): number;
  onWindow(window: TimeWindow | undefined): void;
  /** Selects a span and brings it into view. */
  select(span: number | undefined): void;
  /** Removes the selection. */
  clear(): void;
  /** Gives the keyboard focus to the row of a lane. */
  focusLane(lane: number): void;
  /** Hides or shows the children of a lane. */
  toggle(lane: number): void;
  /** Opens the menu of the selected bar of the row in the tab order, or of its instance. */
  openMenu(): void;
  /** Selects the instance of a lane. */
  pick(lane: number): void;
}

/** Does what a key stands for while the lanes have the focus. */
export function actOnKey(action: KeyAction, on: KeyTarget) {
  const { trace, rows, activeLane, selected, shown, now, end } = on;
  switch (action.do) {
    case 'zoom':
      return on.onWindow(on.scale.change(shown, end, (drawn, all) => zoom(drawn, action.by, on.pivot(), all)));
    case 'pan':
      return on.onWindow(on.scale.change(shown, end, (drawn, all) => pan(drawn, action.by, all)));
    case 'fit':
      return on.onWindow(undefined);
    case 'focus':
      if (selected === undefined) return;
      return on.onWindow(windowOf(trace, [selected], now, end));
    case 'event':
      return toSpan(on, stepFromRow(trace, rows, activeLane, selected, action.by));
    case 'event-in-lane':
      return toSpan(on, stepInLane(trace, activeLane, selected, action.by));
    case 'error':
      return toSpan(on, stepError(trace, selected, action.by));
    case 'slowest':
      return toSpan(on, nextSlowest(trace, selected, now));
    case 'row':
      return toRow(on, (rows.rowOf[activeLane] ?? 0) + action.by, action.by);
    case 'edge':
      return action.by < 0 ? toRow(on, 0, 1) : toRow(on, rows.lanes.length - 1, -1);
    case 'toggle':
      if ((trace.lanes[activeLane]?.children.length ?? 0) > 0) on.toggle(activeLane);
      else on.pick(activeLane);
      return;
    case 'clear':
      return on.clear();
    case 'menu':
      return on.openMenu();
  }
}

function toSpan(on: KeyTarget, span: number | undefined): void {
  on.select(span);
  if (span !== undefined) on.focusLane(on.trace.spans.lane.at(span));
}

/** Moves to the row `to`, or to the next one in direction `by` that is a lane and not a note about hidden ones. */
function toRow({ rows, focusLane }: KeyTarget, to: number, by: 1 | -1): void {
  let at = Math.min(Math.max(to, 0), rows.lanes.length - 1);
  while (rows.lanes[at] === NO_LANE) at += by;
  const lane = rows.lanes[at];
  if (lane !== undefined) focusLane(lane);
}
