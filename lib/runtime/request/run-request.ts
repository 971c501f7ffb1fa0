import type { CorrelationId, RunId } from '@/lib/base/ids';
import type { FailedServer, RunError, RunStatus } from '@/lib/runtime/record/events';
import type { Usage } from '@/lib/runtime/record/messages';

export interface RunRequest {
  readonly runId: RunId;
  readonly correlationId: CorrelationId;
  /** Undefined: the folder's entry agent. */
  readonly agent: string | undefined;
  readonly message: string;
  /**
   * Serves every card that names no model of its own, before the config's default (fast-agent's precedence). `script`, or
   * none in a folder that has scripts, makes the whole run scripted.
   */
  readonly model: string | undefined;
}

export interface RunOutcome {
  readonly status: RunStatus;
  readonly answer: string | undefined;
  readonly error: RunError | undefined;
  readonly usage: Usage;
  /** Servers that agents were to use and that did not start; undefined when there are none. */
  readonly failedServers?: readonly FailedServer[] | undefined;
}
