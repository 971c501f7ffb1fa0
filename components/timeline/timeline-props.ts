import type { Dispatch, ReactNode, RefObject, SetStateAction } from 'react';
import type { SpanPick } from '@/lib/trace/find-spans';
import type { LaneHeight, Rows } from '@/lib/trace/lanes';
import type { Lane, Trace } from '@/lib/trace/trace';
import type { KeyPress } from './keys';
import type { LaneView } from './lane-view';
import type { Palette } from './palette';
import type { SpanMark } from './span-marks';
import type { TimeScale } from './time-scale';
import type { TimeWindow } from './time-window';

/** Does what a key stands for, without moving the focus. Returns false for a key that the lanes alone know. */
export type TimelineKeys = (event: KeyPress) => boolean;

/** What the timeline shows, for a picture of it. Times are in microseconds since the run's origin. */
export interface TimelinePicture {
  /** The trace as it is shown: that of the play-head's moment if there is one. */
  readonly trace: Trace;
  readonly view: LaneView;
  /** The lanes that the filter leaves. */
  readonly only: ReadonlySet<number> | undefined;
  readonly laneHeight: LaneHeight | 'auto';
  readonly window: TimeWindow;
  readonly scale: TimeScale;
  /** The end of the whole run, or now; and the end of the window that shows all of it. */
  readonly whole: number;
  readonly end: number;
  readonly now: number;
  readonly moment: number | undefined;
  readonly highlight: SpanPick | undefined;
  readonly marks: readonly SpanMark[] | undefined;
  /** `undefined` until the colours of the theme are known. */
  readonly palette: Palette | undefined;
  readonly font: string;
}

/** Where the bars are: the rows, how far they are scrolled, and what is in view. */
export interface BarsPlace {
  readonly rows: Rows;
  /** CSS pixels. */
  readonly scrollTop: number;
  /** The height of the bars in view, in CSS pixels. */
  readonly height: number;
  readonly window: TimeWindow | undefined;
}

/** A menu of a bar that was asked for, at a place in the browser window in CSS pixels. */
export interface BarMenuPlace {
  readonly span: number;
  readonly x: number;
  readonly y: number;
  /** Shows only the time of the bar. */
  readonly onZoom: () => void;
  /** Gives the keyboard focus to the row of the bar. */
  readonly onFocusBack: () => void;
  readonly onClose: () => void;
}

/** The quiet time of a run, which its axis may show short. */
export interface ShortTime extends Switch {
  /** Draws time as the switch says. */
  readonly scale: TimeScale;
}

/** Something that shows or does not. */
export interface Switch {
  readonly isOn: boolean;
  readonly setOn: (isOn: boolean) => void;
}

export interface TimelineProps {
  /** The trace changes in place, and `version` grows with each change. */
  readonly trace: Trace;
  readonly version: number;
  /**
   * Returns microseconds since the run's origin: the time to which open bars reach. Once the run has ended, it returns the last
   * event's time; during a replay, the play-head.
   */
  readonly now: () => number;
  /** Returns the end of the time axis, if it is not `now`: that of the whole run, while a part of it is shown. */
  readonly extent?: (() => number) | undefined;
  readonly live: boolean;
  /** The number of the selected span. */
  readonly selected: number | undefined;
  readonly onSelect: (span: number | undefined) => void;
  /** The span that a link selected. The link says which lanes are folded, so selecting it at first opens none. */
  readonly linked?: number | undefined;
  /** The span whose row is kept in view, without opening the row of a folded instance. */
  readonly followed?: number | undefined;
  /** `undefined` means the whole run, which grows while it runs. */
  readonly window: TimeWindow | undefined;
  readonly onWindow: (window: TimeWindow | undefined) => void;
  /** `undefined` if the run has no time that is drawn short. */
  readonly short?: ShortTime | undefined;
  /** Shows the spans of the framework of an imported run. `undefined` if the run has none. */
  readonly allSpans?: Switch | undefined;
  /** Which lanes show, and in which order. */
  readonly view: LaneView;
  readonly onView: Dispatch<SetStateAction<LaneView>>;
  /** The play-head, in microseconds since the origin. */
  readonly moment?: number;
  /** `undefined` if the play-head cannot be set. */
  readonly onMoment?: (moment: number) => void;
  /** Spans to draw strong. All others are dimmed. `undefined` means that no span is dimmed. Give a new set for a change. */
  readonly highlight?: SpanPick | undefined;
  /** Lines and flags to draw on bars. Give a new array for a change. */
  readonly marks?: readonly SpanMark[] | undefined;
  /** Is given what the keys of the timeline do, for a page that has them everywhere. */
  readonly keys?: RefObject<TimelineKeys | undefined>;
  /** Is given a function that says what the timeline shows now. */
  readonly picture?: RefObject<(() => TimelinePicture) | undefined>;
  /** Returns a sign that stands before the name of an instance. */
  readonly laneIcon?: (lane: Lane) => ReactNode;
  /** Draws elements over the bars. They must let the pointer through. */
  readonly overBars?: (place: BarsPlace) => ReactNode;
  /** Draws the menu of a bar, asked for with the right button, Shift+F10 or the menu key. Without it there is none. */
  readonly barMenu?: (at: BarMenuPlace) => ReactNode;
  /** Leaves out the overview strip and the legend, and puts the tools into a corner, as a dock needs it. */
  readonly compact?: boolean;
}
