import type { Trace } from '@/lib/trace/trace';
import type { TimeWindow } from './time-window';

export interface TimelineProps {
  /** Changes in place; `version` says when. */
  readonly trace: Trace;
  readonly version: number;
  /** Microseconds since the run's origin; the last event's time once the run has ended. */
  readonly now: () => number;
  readonly live: boolean;
  /** Span. */
  readonly selected: number | undefined;
  readonly onSelect: (span: number | undefined) => void;
  /** Undefined: the whole run, growing while it runs. */
  readonly window: TimeWindow | undefined;
  readonly onWindow: (window: TimeWindow | undefined) => void;
  /** The play-head: microseconds since the origin. */
  readonly moment?: number;
  /** Undefined if the play-head cannot be set. */
  readonly onMoment?: (moment: number) => void;
  /** No overview strip, no legend, tools in the corner where there is room: for a dock. */
  readonly compact?: boolean;
}
