import type { StepKey } from '@/lib/base/ids';
import type { EventOf, RunEvent, SessionContent, SessionKey } from './events';
import { isStepOf } from './step-key';

export interface KeptSession {
  readonly owner: string;
  readonly version: number;
  readonly content: SessionContent;
}

export interface OpenedSession extends KeptSession {
  readonly event: EventOf<'session.opened'>;
}

/** What the log says about sessions and about conversations that were merged. */
export interface RecordedSessions {
  /** Returns the session that the call of this step opened, with its content at that moment. */
  sessionOf(step: StepKey): OpenedSession | undefined;
  isSessionSaved(step: StepKey): boolean;
  /** The current content of sessions, by id. */
  readonly sessions: ReadonlyMap<string, KeptSession>;
  /** Sessions that a call has opened and not released, by step. */
  readonly heldSessions: ReadonlyMap<StepKey, SessionKey>;
  /** Conversations that were merged into histories, in the order of the merges. */
  readonly merges: readonly EventOf<'history.merged'>[];
}

export const emptySession: SessionContent = { history: [], state: {}, activeGroups: [] };

export function readSessions(log: readonly RunEvent[]): RecordedSessions {
  const opened = new Map<StepKey, OpenedSession>();
  const saved = new Set<string>();
  const sessions = new Map<string, KeptSession>();
  const heldSessions = new Map<StepKey, SessionKey>();
  const merges: EventOf<'history.merged'>[] = [];

  for (const event of log) {
    switch (event.kind) {
      case 'session.opened': {
        const { step, sessionId, version, owner } = event;
        const content = event.content ?? sessions.get(sessionId)?.content ?? emptySession;
        opened.set(step, { event, version, content, owner });
        sessions.set(sessionId, { version, content, owner });
        // Only one run of a conversation goes on at a time, and nothing in it waits for its root.
        if (event.mode !== 'conversation') heldSessions.set(step, { id: sessionId, owner });
        break;
      }
      case 'session.saved': {
        const { step, sessionId, version, kept, messages, state, activeGroups } = event;
        const before = opened.get(step);
        const history = [...(before?.content.history ?? []).slice(0, kept), ...messages];
        sessions.set(sessionId, { version, content: { history, state, activeGroups }, owner: before?.owner ?? '' });
        saved.add(step);
        // Saving releases the session, before the call itself has ended.
        heldSessions.delete(step);
        break;
      }
      case 'tool.ended':
        heldSessions.delete(event.step);
        break;
      case 'instance.ended':
        // Calls of an instance that has ended have ended too, even without an end in the log.
        for (const step of heldSessions.keys()) if (isStepOf(step, event.path)) heldSessions.delete(step);
        break;
      case 'history.merged':
        merges.push(event);
        break;
    }
  }

  return {
    sessionOf: (step) => opened.get(step),
    isSessionSaved: (step) => saved.has(step),
    sessions,
    heldSessions,
    merges,
  };
}
