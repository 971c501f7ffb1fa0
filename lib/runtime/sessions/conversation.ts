import { err, ok, type Result } from '@/lib/base/result';
import type { Card } from '@/lib/cards/card';
import type { InstanceOutcome, InstanceSpec } from '@/lib/runtime/instance/instance-spec';
import type { Run } from '@/lib/runtime/instance/run';
import type { StoredSession } from '@/lib/runtime/ports';
import type { RunError } from '@/lib/runtime/record/events';
import { emptySession } from '@/lib/runtime/record/recorded-sessions';
import { stepKey } from '@/lib/runtime/record/step-key';
import { thrownMessage } from '@/lib/runtime/record/tool-error';
import { type OpenSession, saveSession } from './child-session';

/*
 * The conversation that a run is a turn of.
 *
 *   session.opened ▶ the root runs with what was said ──completed──▶ store, session.saved ▶ run.finished
 *                                                    ╰─any other end──▶ nothing is saved ▶ run.finished
 */

/** Owns the sessions of conversations. A delegation's owner has ` > ` in it. */
export const conversationOwner = 'conversation';

/** A conversation as it was at a turn of another run. */
export interface EarlierConversation extends StoredSession {
  readonly id: string;
}

/**
 * Opens the conversation of a run and records what it holds, so that the log alone says how the run began. `earlier` is what the run
 * begins with that continues no conversation. Returns `undefined` for a run without any.
 */
export async function openConversation(
  run: Run,
  root: InstanceSpec,
  earlier: EarlierConversation | undefined,
): Promise<Result<OpenSession | undefined, RunError>> {
  const step = stepKey(root.path, 'c', 1);
  const recorded = run.journal.sessionOf(step);
  if (recorded) return ok(opened(run, recorded.event.sessionId, recorded));
  const id = earlier?.id ?? run.request.conversation;
  // A log that has the start of its root began without a conversation.
  if (id === undefined || run.journal.isStarted(root.path)) return ok(undefined);
  const found = earlier ? ok(earlier) : await readConversation(run, id);
  if (!found.ok) return found;
  const { version = 0, history = [], state = {}, activeGroups = [] } = found.value ?? {};
  const content = version === 0 ? undefined : { history, state, activeGroups };
  run.ports.events.append({
    kind: 'session.opened',
    path: root.path,
    step,
    sessionId: id,
    owner: conversationOwner,
    mode: 'conversation',
    version,
    content,
  });
  return ok(opened(run, id, { version, content: content ?? emptySession }));
}

function opened(
  { request }: Run,
  id: string,
  { version, content }: Pick<OpenSession, 'version' | 'content'>,
): OpenSession {
  const isStored = id === request.conversation;
  return { id, mode: 'conversation', asked: undefined, version, content, owner: conversationOwner, isStored };
}

async function readConversation({ ports }: Run, id: string): Promise<Result<StoredSession | undefined, RunError>> {
  try {
    return ok(await ports.sessions?.read({ id, owner: conversationOwner }));
  } catch (error) {
    const message = `The conversation cannot be read: ${thrownMessage(error)} Send the message again, or begin a new conversation.`;
    return err({ code: 'conversation_unreadable', message });
  }
}

/** Returns the root as it goes on with the conversation. */
export function withConversation(root: InstanceSpec, session: OpenSession | undefined): InstanceSpec {
  if (session === undefined) return root;
  const { id, version, content, isStored } = session;
  const isKnown = version > 0;
  return {
    ...root,
    history: isKnown && remembers(root.card) ? content.history : root.history,
    state: { ...content.state, ...root.state },
    activeGroups: isKnown ? content.activeGroups : root.activeGroups,
    keepsConversation: isStored,
    sessionId: isStored ? id : undefined,
  };
}

/** Adds a turn that has completed to the conversation that it continues. */
export async function saveConversation(
  run: Run,
  root: InstanceSpec,
  session: OpenSession | undefined,
  outcome: InstanceOutcome,
): Promise<void> {
  if (!session?.isStored || !outcome.conversation) return;
  const use = { path: root.path, step: stepKey(root.path, 'c', 1), remembers: remembers(root.card) };
  await saveSession(run, use, session, outcome);
}

/**
 * True for a root that reads what was said before. The `use_history` of a workflow is about the workflow's own model; its steps have no
 * memory of their own, so they get the messages and answers of the conversation.
 */
function remembers(card: Card): boolean {
  return card.type !== 'agent' || card.useHistory;
}
