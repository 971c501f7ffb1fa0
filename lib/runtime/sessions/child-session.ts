import type { JsonObject } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import { thrownMessage } from '@/lib/runtime/calls/tool-error';
import type { Delegation } from '@/lib/runtime/delegation/delegation';
import type { SessionContent, SessionMode } from '@/lib/runtime/events';
import { emptySession } from '@/lib/runtime/journal';
import type { Message } from '@/lib/runtime/messages';
import type { Instance, InstanceOutcome, InstanceSpec } from '@/lib/runtime/run-state';

export interface OpenSession {
  readonly id: string;
  readonly mode: SessionMode;
  /** The id asked for that nobody knows. */
  readonly asked: string | undefined;
  /** Saves so far. */
  readonly version: number;
  readonly content: SessionContent;
  readonly owner: string;
  readonly isStored: boolean;
}

/** The session a call asks for, before anybody has looked whether there is one. */
export interface Wanted {
  readonly mode: SessionMode;
  readonly id: string;
  /** True for an id that the model gave. */
  readonly isAsked: boolean;
  readonly isStored: boolean;
}

export function wantedSession(
  { run, spec }: Instance,
  { route, step }: Delegation,
  args: JsonObject | undefined,
): Wanted | undefined {
  const { options, child } = route;
  const parentSession = spec.sessionId;
  switch (options.session ?? 'none') {
    case 'addressed': {
      const recorded = run.journal.sessionOf(step)?.event.sessionId;
      if (recorded !== undefined) return { mode: 'addressed', id: recorded, isAsked: false, isStored: true };
      const asked = typeof args?.session_id === 'string' ? args.session_id.trim() : '';
      const id = asked === '' ? run.ports.newCorrelationId() : asked;
      return { mode: 'addressed', id, isAsked: asked !== '', isStored: true };
    }
    case 'reuse': {
      // A parent without a session of its own is never met again: nothing is worth storing.
      const id = `reuse:${parentSession ?? `${run.request.runId}/${spec.path}`}/${child.name}`;
      return { mode: 'reuse', id, isAsked: false, isStored: parentSession !== undefined };
    }
    case 'none':
      if (options.isolation !== 'shared') return undefined;
      return { mode: 'shared', id: `shared:${child.name}`, isAsked: false, isStored: false };
  }
}

/** Recorded, with what it holds; a call that goes on after a crash has the one it had. */
export async function openSession(
  instance: Instance,
  delegation: Delegation,
  wanted: Wanted,
): Promise<Result<OpenSession, NonNullable<InstanceSpec['refusal']>>> {
  const { run, plan } = instance;
  const { child } = delegation.route;
  const owner = wanted.mode === 'shared' ? child.name : `${plan.card.name} > ${child.name}`;
  const { mode, isStored } = wanted;
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
  // An id is worth something only where it was issued (R-62): a made-up or foreign one begins a new session under a new id.
  const isUnknown = wanted.isAsked && !found;
  const id = isUnknown ? run.ports.newCorrelationId() : wanted.id;
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

/** After a success: to the store first, then on record. */
export async function saveSession(
  { run }: Instance,
  { step, path, route }: Delegation,
  session: OpenSession,
  spec: InstanceSpec,
  outcome: InstanceOutcome,
): Promise<void> {
  if (run.journal.isSessionSaved(step)) return;
  const { id, owner, version: before } = session;
  const conversation = outcome.conversation;
  const remembers = route.child.type === 'agent' && route.child.useHistory;
  const history = remembers ? (conversation?.messages ?? []) : [];
  const state = { ...session.content.state, ...outcome.written };
  const content: SessionContent = { history, state, activeGroups: conversation?.activeGroups ?? [] };
  const version = before + 1;
  if (session.isStored && run.ports.sessions) {
    // What was said must be on record first: after a crash it is not to be said to the session it has made.
    await run.ports.events.flush();
    const problem = await store(run, { id, owner }, { ...content, version }, `${run.request.runId} ${step}`);
    if (problem) run.log({ level: 'warning', ...problem }, spec.path);
  }
  run.sessions.set(id, { version, content, owner });
  const kept = commonLength(session.content.history, history);
  run.ports.events.append({
    kind: 'session.saved',
    path,
    step,
    sessionId: id,
    version,
    kept,
    messages: history.slice(kept),
    state,
    activeGroups: content.activeGroups,
  });
}

async function store(
  run: Instance['run'],
  key: { readonly id: string; readonly owner: string },
  session: SessionContent & { readonly version: number },
  writer: string,
): Promise<{ code: string; message: string } | undefined> {
  try {
    if ((await run.ports.sessions?.save(key, session, writer)) !== 'conflict') return undefined;
    const message = `The session '${key.id}' was saved by another run meanwhile; what was said here is not kept in it.`;
    return { code: 'session_conflict', message };
  } catch (error) {
    const message = `The session '${key.id}' is not saved: ${thrownMessage(error)}`;
    return { code: 'session_not_saved', message };
  }
}

function commonLength(a: readonly Message[], b: readonly Message[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}
