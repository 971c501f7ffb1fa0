import type { JsonObject } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { Delegation } from './delegation';
import type { SessionContent, SessionMode } from './events';
import { emptySession } from './journal';
import type { Message } from './messages';
import { projectHistory } from './project-history';
import type { Instance, InstanceOutcome, InstanceSpec } from './run-state';
import { thrownMessage } from './tool-error';

/**
 * What a call takes before its child begins and gives back when it has ended: its turn at a session, a shared instance or a
 * pool, and the conversation that goes on there.
 *
 *   call ──take──▶ turn ──open──▶ session.opened ──▶ the child runs ──success──▶ store, session.saved ──▶ leave
 *                   ╰ waits for earlier calls         ╰ anything else: nothing is saved (R-66)
 */
export interface Seat {
  /** What the child's instances differ in from what the delegation alone would make. */
  readonly start: ChildStart;
  readonly session: OpenSession | undefined;
  leave(): void;
}

export type ChildStart = Pick<
  InstanceSpec,
  'history' | 'keepsConversation' | 'heldSeats' | 'sessionId' | 'activeGroups'
> & { readonly remembered: JsonObject };

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

export type SeatRefusal = NonNullable<InstanceSpec['refusal']>;

/**
 * Waits for the call's turn and opens its session. When the scope is cancelled meanwhile, the seat is an empty one: the
 * child's lane is only closed.
 */
export async function takeSeat(
  instance: Instance,
  delegation: Delegation,
  args: JsonObject | undefined,
): Promise<Result<Seat, SeatRefusal>> {
  const { run, spec, scope } = instance;
  const { child } = delegation.route;
  const wanted = wantedSession(instance, delegation, args);
  // Always the session first: whoever comes back for one after a crash must not find its pool taken by one that waits.
  const places = [wanted && { key: sessionSeat(wanted.id), capacity: 1 }, poolOf(instance, delegation)].flatMap(
    (place) => place ?? [],
  );
  const held = places.find(({ key }) => spec.heldSeats.includes(key));
  if (held) {
    const message = `Agent '${child.name}' is at work on this call's behalf already, so it would wait for itself. Call it without, or in another session.`;
    return err({ code: 'NOT_ALLOWED', message });
  }
  const leaves: (() => void)[] = [];
  const leave = () => {
    for (const one of leaves) one();
  };
  for (const { key, capacity } of places) {
    const left = await run.seats.take(key, capacity, scope, delegation.step);
    if (!left) {
      leave();
      return ok({ start: startOf(instance, delegation, []), session: undefined, leave: () => {} });
    }
    leaves.push(left);
  }
  const opened = wanted ? await openSession(instance, delegation, wanted) : ok(undefined);
  if (!opened.ok) {
    leave();
    return opened;
  }
  const keys = places.map(({ key }) => key);
  return ok({ start: startOf(instance, delegation, keys, opened.value), session: opened.value, leave });
}

/** Keeps what a successful call said: in its session, and where the parent's card merges histories. */
export async function keepConversation(
  instance: Instance,
  delegation: Delegation,
  seat: Seat,
  spec: InstanceSpec,
  outcome: InstanceOutcome,
): Promise<void> {
  const { conversation } = outcome;
  if (!conversation) return;
  if (seat.session) await saveSession(instance, delegation, seat.session, spec, outcome);
  mergeConversation(instance, delegation, spec, conversation.messages.slice(spec.history.length));
}

/** The seat of a session. */
export function sessionSeat(id: string): string {
  return `session ${id}`;
}

function startOf(
  instance: Instance,
  delegation: Delegation,
  keys: readonly string[],
  session?: OpenSession,
): ChildStart {
  const isKnown = session !== undefined && session.version > 0;
  const mergeTarget = instance.plan.card.historyMergeTarget ?? 'none';
  return {
    history: isKnown ? session.content.history : initialHistory(instance, delegation),
    remembered: session?.content.state ?? {},
    activeGroups: isKnown ? session.content.activeGroups : undefined,
    keepsConversation: session !== undefined || mergeTarget !== 'none',
    heldSeats: [...instance.spec.heldSeats, ...keys],
    sessionId: session?.isStored ? session.id : undefined,
  };
}

/**
 * What a child begins with that no session gives a conversation to: the delegation's own `history` (R-22), else what the
 * parent card's `history_source` says, else its own `messages` files.
 */
function initialHistory(instance: Instance, delegation: Delegation): readonly Message[] {
  const { run, plan } = instance;
  const { options, child } = delegation.route;
  if (options.history !== undefined) return delegation.history;
  switch (plan.card.historySource) {
    case 'none':
      return [];
    case 'orchestrator':
      return projectHistory(instance.messages, 'full');
    case 'child': {
      const template = run.templateOf(child);
      // One that goes on after a crash saw no more than it did when it began.
      const begun = run.journal.isStarted(delegation.path);
      return template.slice(0, begun ? (run.journal.historyCount(delegation.path) ?? 0) : undefined);
    }
    case 'messages':
    case undefined:
      return run.planOf(child).initialHistory;
  }
}

interface Wanted {
  readonly mode: SessionMode;
  readonly id: string;
  /** True for an id that the model gave. */
  readonly isAsked: boolean;
  readonly isStored: boolean;
}

function wantedSession(
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

function poolOf({ plan }: Instance, { route }: Delegation): { key: string; capacity: number } | undefined {
  const { isolation } = route.options;
  if (isolation === undefined || isolation === 'clone') return undefined;
  if (isolation === 'shared') {
    // Its memory is a session of its own, where the delegation has no other.
    const { session = 'none' } = route.options;
    return session === 'none' ? undefined : { key: `shared ${route.child.name}`, capacity: 1 };
  }
  return { key: `pool ${plan.card.name}/${route.child.name}`, capacity: isolation.pool };
}

async function openSession(
  instance: Instance,
  delegation: Delegation,
  wanted: Wanted,
): Promise<Result<OpenSession, SeatRefusal>> {
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

async function saveSession(
  { run }: Instance,
  { step, path, route }: Delegation,
  session: OpenSession,
  spec: InstanceSpec,
  outcome: InstanceOutcome,
): Promise<void> {
  if (run.journal.isSessionSaved(step)) return;
  const { id, owner, version: before } = session;
  const conversation = outcome.conversation;
  const history = route.child.useHistory ? (conversation?.messages ?? []) : [];
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

function mergeConversation(
  instance: Instance,
  { step, path, route }: Delegation,
  spec: InstanceSpec,
  messages: readonly Message[],
): void {
  const { run, plan } = instance;
  const target = plan.card.historyMergeTarget ?? 'none';
  if (target === 'none' || run.journal.merges.some((merge) => merge.step === step)) return;
  const { name: agentName } = spec.card;
  run.ports.events.append({ kind: 'history.merged', path, step, target, agentName, messages });
  if (target === 'child') run.templateOf(route.child).push(...messages);
  else instance.merges.push({ step, messages });
}

/** What the children of these calls said, in the order they ended, for their parent's history. */
export function mergedMessages(instance: Instance, steps: ReadonlySet<string>): readonly Message[] {
  const recorded = instance.run.journal.merges.filter(
    ({ target, step }) => target === 'orchestrator' && steps.has(step),
  );
  const live = instance.merges.filter(({ step }) => steps.has(step));
  return [...recorded, ...live].flatMap(({ messages }) => messages);
}

function commonLength(a: readonly Message[], b: readonly Message[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}
