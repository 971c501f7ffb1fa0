import type { MessageFile } from '@/lib/base/conversation';
import type { CorrelationId, RunId } from '@/lib/base/ids';
import type { LeftOut } from '@/lib/base/left-out';
import type { RunMarks } from '@/lib/base/run-marks';
import type { FailedServer, RunError, RunStatus } from '@/lib/runtime/record/events';
import type { Usage } from '@/lib/runtime/record/messages';

export interface RunRequest {
  readonly runId: RunId;
  readonly correlationId: CorrelationId;
  /** `undefined` stands for the folder's entry agent. */
  readonly agent: string | undefined;
  readonly message: string;
  /**
   * The model of every card that names none, before the config's default (fast-agent's precedence). The whole run is
   * scripted if this is `script`, or if it is `undefined` and the folder has scripts.
   */
  readonly model: string | undefined;
  /** Files that come with the message. */
  readonly attachments?: readonly MessageFile[] | undefined;
  /** The conversation that the run is a turn of: it begins with what was said, and adds to it if it completes. */
  readonly conversation?: string | undefined;
  /** What the run does without although the files have it. */
  readonly leftOut?: readonly LeftOut[] | undefined;
  /** What the caller says of the run. */
  readonly marks?: RunMarks | undefined;
}

export interface RunOutcome {
  /** `suspended`: the run waits for people and has left its worker. It goes on from its log. The other fields are then empty. */
  readonly status: RunStatus | 'suspended';
  readonly answer: string | undefined;
  readonly error: RunError | undefined;
  readonly usage: Usage;
  /** Servers that did not start although agents use them; `undefined` when there are none. */
  readonly failedServers?: readonly FailedServer[] | undefined;
}
