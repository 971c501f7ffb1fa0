import type { StepKey } from '@/lib/base/ids';
import type { RunEvent } from './events';
import { type RecordedCalls, readCalls } from './recorded-calls';
import { type RecordedChildren, readChildren } from './recorded-children';
import { type RecordedDecisions, readDecisions } from './recorded-decisions';
import { type RecordedInstances, readInstances } from './recorded-instances';
import { type RecordedQuestions, readQuestions } from './recorded-questions';
import { type RecordedReturns, readReturns } from './recorded-returns';
import { type RecordedRun, readRun } from './recorded-run';
import { type RecordedSessions, readSessions } from './recorded-sessions';

/**
 * What the log already says, looked up by step and by instance.
 *
 *   log ──once──▶ maps     step with an end      → its outcome is taken from here, nothing is appended
 *                          step with only starts → runs again as attempt n + 1
 *                          step that is absent   → runs as attempt 1
 *
 * Decisions that depend on time or on people (a timeout, a stop) are recorded as `log` events before they take effect, so
 * that a resumed run decides the same.
 */
export interface Journal
  extends RecordedRun,
    RecordedCalls,
    RecordedInstances,
    RecordedChildren,
    RecordedSessions,
    RecordedDecisions,
    RecordedQuestions,
    RecordedReturns {
  /** True if the call of this step was running when the log ended: its child had started, or it held a session. */
  isChildOpen(step: StepKey): boolean;
}

export function readJournal(log: readonly RunEvent[]): Journal {
  const children = readChildren(log);
  const sessions = readSessions(log);
  return {
    ...readRun(log),
    ...readCalls(log),
    ...readInstances(log),
    ...children,
    ...sessions,
    ...readDecisions(log),
    ...readQuestions(log),
    ...readReturns(log),
    isChildOpen: (step) => children.openChildren.has(step) || sessions.heldSessions.has(step),
  };
}
