import type { Held } from '@/components/timeline/held';
import type { TimeWindow } from '@/components/timeline/time-window';
import type { Trace } from '@/lib/trace/trace';

/** What the insight tab needs of a run page. */
export interface InsightProps {
  readonly trace: Trace;
  /** Grows with each change of the trace. */
  readonly version: number;
  /** Returns microseconds since the run's origin. */
  readonly now: () => number;
  /** The epoch milliseconds at which the run was asked for. */
  readonly createdAt: number | undefined;
  /** The part of the run that the bars show; `undefined` for the whole. It changes in every frame of a zoom. */
  readonly inView: Held<TimeWindow | undefined>;
  readonly selected: number | undefined;
  /** Selects a span, and leaves the tab open. */
  readonly onSelect: (span: number) => void;
  /** Shows the details of the selection. */
  readonly onDetails: () => void;
  /** Spans that the bars draw strong. */
  readonly highlight: ReadonlySet<number> | undefined;
  readonly onHighlight: (spans: ReadonlySet<number> | undefined) => void;
}
