import type { SessionPort } from '@/lib/runtime/ports';
import { conversationOwner } from '@/lib/runtime/sessions/conversation';
import { projectSessions } from '@/lib/store/sessions';
import type { TakenRun } from '@/lib/store/take-run';
import { retryDuringOutage } from './retry-outage';
import type { RunContext } from './run-context';

/**
 * The sessions of a run that this worker has taken. A turn that has completed must be remembered, so the conversation of the run
 * outlasts an outage of the database. Sessions of children do not: their calls go on with a note.
 */
export function runSessions({ store, clock }: Pick<RunContext, 'store' | 'clock'>, taken: TakenRun): SessionPort {
  const { request, epoch } = taken;
  const sessions = projectSessions(store, request.runId, epoch);
  return {
    read: (key) =>
      key.owner === conversationOwner ? retryDuringOutage(clock, () => sessions.read(key)) : sessions.read(key),
    save: (key, session, writer) =>
      key.owner === conversationOwner
        ? retryDuringOutage(clock, () => sessions.save(key, session, writer))
        : sessions.save(key, session, writer),
  };
}
