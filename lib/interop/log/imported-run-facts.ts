import type { CorrelationId, RunId } from '@/lib/base/ids';
import type { RunMarks } from '@/lib/base/run-marks';
import type { RunStatus } from '@/lib/runtime/record/events';

/** What the events of an imported run say about the run itself. */
export interface ImportedRunFacts {
  readonly runId: RunId;
  readonly correlationId: CorrelationId;
  /** The name of the instance that is made up when the trace has no single agent at its top. */
  readonly name: string;
  /** The name of who recorded the run, for the log. */
  readonly recordedBy: string;
  /** The number of spans in the source, if some of them are folded into others. */
  readonly spanCount?: number | undefined;
  readonly message?: string | undefined;
  readonly answer?: string | undefined;
  readonly status?: RunStatus | undefined;
  /** What the trace says of the run. */
  readonly marks?: RunMarks | undefined;
  /** Sentences for the log. */
  readonly notes?: readonly string[] | undefined;
}
