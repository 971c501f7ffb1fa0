import type { InstancePath, StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { Delegation } from '@/lib/runtime/delegation/delegation';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { InstanceOutcome, InstanceSpec } from '@/lib/runtime/instance/instance-spec';
import type { Run } from '@/lib/runtime/instance/run';
import type { LogBody, SessionPort, StoredSession } from '@/lib/runtime/ports';
import type { SessionContent, SessionKey, SessionMode } from '@/lib/runtime/record/events';
import type { Message } from '@/lib/runtime/record/messages';
import { emptySession } from '@/lib/runtime/record/recorded-sessions';
import { thrownMessage } from '@/lib/runtime/record/tool-error';

export interface OpenSession {
  readonly id: string;
  readonly mode: SessionMode;
  /** The id that the model asked for, if it is unknown. */
  readonly asked: string | undefined;
  /** Counts the saves so far. */
  readonly version: number;
  readonly content: SessionContent;
  readonly owner: string;
  readonly isStored: boolean;
}

/** The session that a call asks for, before the store is asked whether it exists. */
export interface Wanted {
  readonly mode: SessionMode;
  readonly id: string;
  /** The delegation that the session belongs to. The same id of another delegation is another session. */
  readonly owner: string;
  /** True for an id that the model gave. */
  readonly isAsked: boolean;
  readonly isStored: boolean;
}

export function wantedSession(
  { run, spec, plan }: Instance,
  { route, step }: Delegation,
  args: JsonObject | undefined,
): Wanted | undefined {
  const { options, child } = route;
  const parentSession = spec.sessionId;
  const owner = `${plan.card.name} > ${child.name}`;
  switch (options.session ?? 'none') {
    case 'addressed': {
      const recorded = run.journal.sessionOf(step)?.event.sessionId;
      if (recorded !== undefined) return { mode: 'addressed', id: recorded, owner, isAsked: false, isStored: true };
      const asked = typeof args?.session_id === 'string' ? args.session_id.trim() : '';
      const id = asked === '' ? newSessionId(run, step) : asked;
      return { mode: 'addressed', id, owner, isAsked: asked !== '', isStored: true };
    }
    case 'reuse': {
      // A parent without a session is never continued, so nothing needs to be stored.
      const id = `reuse:${parentSession ?? `${run.request.runId}/${spec.path}`}/${child.name}`;
      return { mode: 'reuse', id, owner, isAsked: false, isStored: parentSession !== undefined };
    }
    case 'none':
      if (options.isolation !== 'shared') return undefined;
      return { mode: 'shared', id: `shared:${child.name}`, owner: child.name, isAsked: false, isStored: false };
  }
}

/** Opens the session and records its content. A call that continues after a crash gets the same session again. */
export async function openSession(
  instance: Instance,
  delegation: Delegation,
  wanted: Wanted,
): Promise<Result<OpenSession, NonNullable<InstanceSpec['refusal']>>> {
  const { run } = instance;
  const { child } = delegation.route;
  const { mode, owner, isStored } = wanted;
  const recorded = run.journal.sessionOf(delegation.step);
  if (recorded) {
    const { event, version, content } = recorded;
    return ok({ id: event.sessionId, mode, asked: event.asked, version, content, owner, isStored });
  }
  const known = run.sessions.get(wanted.id);
  const inRun = known?.owner === owner ? known : undefined;
  let stored: { readonly version: number; readonly content: SessionContent } | undefined;
  if (isStored && run.ports.sessions && (wanted.isAsked || mode === 'reuse')) {
    try {
      const found = await run.ports.sessions.read({ id: wanted.id, owner });
      if (found && found.version > (inRun?.version ?? 0)) {
        const { version, history, state, activeGroups } = found;
        stored = { version, content: { history, state, activeGroups } };
      }
    } catch (error) {
      const message = `The session '${wanted.id}' of agent '${child.name}' cannot be read: ${thrownMessage(error)}`;
      return err({ code: 'AGENT_FAILED', message });
    }
  }
  const found = stored ?? inRun;
  // An id is valid only for the delegation that issued it. Any other id begins a new session with a new id.
  const isUnknown = wanted.isAsked && !found;
  const id = isUnknown ? newSessionId(run, delegation.step) : wanted.id;
  const asked = isUnknown ? wanted.id : undefined;
  const version = found?.version ?? 0;
  run.ports.events.append({
    kind: 'session.opened',
    path: delegation.path,
    step: delegation.step,
    sessionId: id,
    owner,
    mode,
    asked,
    version,
    content: stored?.content,
  });
  return ok({ id, mode, asked, version, content: found?.content ?? emptySession, owner, isStored });
}

function newSessionId({ ports }: Run, step: StepKey): string {
  return ports.newSessionId?.(step) ?? ports.newCorrelationId();
}

/** Whose conversation is saved. */
export interface SessionUse {
  readonly path: InstancePath;
  readonly step: StepKey;
  /** False keeps no messages, only state and groups. */
  readonly remembers: boolean;
}

/**
 * Saves the session after a success: first to the store, then as an event. If another run saved it meanwhile, this
 * conversation is appended to theirs. Resolves to false if it could not be stored.
 */
export async function saveSession(
  run: Run,
  { step, path, remembers }: SessionUse,
  session: OpenSession,
  outcome: InstanceOutcome,
): Promise<boolean> {
  if (run.journal.isSessionSaved(step)) return true;
  const { id, owner, version: before } = session;
  const conversation = outcome.conversation;
  const history = remembers ? (conversation?.messages ?? []) : [];
  const said = history.slice(commonLength(session.content.history, history));
  const own: OwnSave = {
    key: { id, owner },
    writer: `${run.request.runId} ${step}`,
    said,
    written: outcome.written,
    content: {
      history,
      state: { ...session.content.state, ...outcome.written },
      activeGroups: conversation?.activeGroups ?? [],
    },
    version: before + 1,
  };
  let saved: StoredSession = { ...own.content, version: own.version };
  let isKept = true;
  if (session.isStored && run.ports.sessions) {
    // The events must be durable before the session is stored. Otherwise a call that is repeated after a crash would
    // continue the session that it saved itself.
    await run.ports.events.flush();
    const stored = await store(run.ports.sessions, own);
    saved = stored.session;
    isKept = stored.isKept;
    if (stored.note) run.log(stored.note, path);
  }
  const { version, ...content } = saved;
  run.sessions.set(id, { version, content, owner });
  const kept = commonLength(session.content.history, content.history);
  run.ports.events.append({
    kind: 'session.saved',
    path,
    step,
    sessionId: id,
    version,
    kept,
    messages: content.history.slice(kept),
    state: content.state,
    activeGroups: content.activeGroups,
  });
  return isKept;
}

interface OwnSave {
  readonly key: SessionKey;
  readonly writer: string;
  /** The messages that this call added to the conversation. */
  readonly said: readonly Message[];
  readonly written: JsonObject;
  readonly content: SessionContent;
  readonly version: number;
}

interface Stored {
  readonly session: StoredSession;
  readonly isKept: boolean;
  readonly note?: LogBody;
}

/**
 * The number of conflicts with other runs after which a save gives up. Each conflict means that another run saved
 * successfully.
 */
const mostMerges = 100;

/**
 * Saves the next version of the session. If another run has saved since it was opened, that run's messages come before
 * ours. Does not reject.
 */
async function store(sessions: SessionPort, own: OwnSave): Promise<Stored> {
  const { key, writer } = own;
  let session: StoredSession = { ...own.content, version: own.version };
  try {
    for (let merges = 0; merges <= mostMerges; merges++) {
      if ((await sessions.save(key, session, writer)) !== 'conflict') {
        const message = `The session '${key.id}' was saved by another run meanwhile; the messages of this call come after it.`;
        return merges === 0
          ? { session, isKept: true }
          : { session, isKept: true, note: { level: 'info', code: 'session_merged', message } };
      }
      const found = await sessions.read(key);
      // The writer of a version may write it again, because a crash may have come between the store and the log.
      if (found && (await sessions.save(key, found, writer)) === 'saved') return { session: found, isKept: true };
      session = found ? merged(found, own) : { ...own.content, version: 1 };
    }
    const message = `The session '${key.id}' is saved by other runs again and again; the messages of this call are not in it.`;
    return { session, isKept: false, note: { level: 'warning', code: 'session_conflict', message } };
  } catch (error) {
    const message = `The session '${key.id}' is not saved: ${thrownMessage(error)}`;
    return { session, isKept: false, note: { level: 'warning', code: 'session_not_saved', message } };
  }
}

function merged(found: StoredSession, { said, written, content }: OwnSave): StoredSession {
  return {
    version: found.version + 1,
    history: [...found.history, ...said],
    state: { ...found.state, ...written },
    activeGroups: [...new Set([...found.activeGroups, ...content.activeGroups])],
  };
}

function commonLength(a: readonly Message[], b: readonly Message[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}
