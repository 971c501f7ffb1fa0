import type { Dispatch, ReactNode, SetStateAction } from 'react';
import type { Lane, Trace } from '@/lib/trace/trace';
import type { LaneView } from './lane-view';
import type { SpanMark } from './span-marks';
import type { TimeWindow } from './time-window';

export interface TimelineProps {
  /** The trace changes in place, and `version` grows with each change. */
  readonly trace: Trace;
  readonly version: number;
  /** Returns microseconds since the run's origin. Once the run has ended, it returns the last event's time. */
  readonly now: () => number;
  readonly live: boolean;
  /** The number of the selected span. */
  readonly selected: number | undefined;
  readonly onSelect: (span: number | undefined) => void;
  /** `undefined` means the whole run, which grows while it runs. */
  readonly window: TimeWindow | undefined;
  readonly onWindow: (window: TimeWindow | undefined) => void;
  /** Which lanes show, and in which order. */
  readonly view: LaneView;
  readonly onView: Dispatch<SetStateAction<LaneView>>;
  /** The play-head, in microseconds since the origin. */
  readonly moment?: number;
  /** `undefined` if the play-head cannot be set. */
  readonly onMoment?: (moment: number) => void;
  /** Spans to draw strong. All others are dimmed. `undefined` means that no span is dimmed. Give a new set for a change. */
  readonly highlight?: ReadonlySet<number> | undefined;
  /** Lines and flags to draw on bars. Give a new array for a change. */
  readonly marks?: readonly SpanMark[] | undefined;
  /** Returns a sign that stands before the name of an instance. */
  readonly laneIcon?: (lane: Lane) => ReactNode;
  /** Leaves out the overview strip and the legend, and puts the tools into a corner, as a dock needs it. */
  readonly compact?: boolean;
}
