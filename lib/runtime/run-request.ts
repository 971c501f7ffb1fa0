import type { CorrelationId, RunId } from '@/lib/base/ids';
import type { RunError, RunStatus } from './events';
import type { Usage } from './messages';

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
}
