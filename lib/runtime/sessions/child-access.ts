import type { JsonObject } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import { agentView } from '@/lib/cards/agent-view';
import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import type { Delegation } from '@/lib/runtime/delegation/delegation';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { InstanceOutcome, InstanceSpec } from '@/lib/runtime/instance/instance-spec';
import { poolResource, type Resource, sessionKeyOf } from '@/lib/runtime/permits/call-scheduler';
import type { CallSlot } from '@/lib/runtime/permits/call-slot';
import { initialHistory } from './child-history';
import { type OpenSession, openSession, saveSession, type Wanted, wantedSession } from './child-session';

/**
 * A call's access to a session, a shared instance or a pool, from before its child starts until the child has ended, with
 * the conversation that the child continues.
 *
 *   call ──acquire──▶ turn ──open──▶ session.opened ──▶ the child runs ──success──▶ store, session.saved ──▶ release
 *                      ╰ waits for earlier calls         ╰ any other end: nothing is saved
 */
export interface ChildAccess {
  /** The fields of the child's instances that the session or the resource determines. */
  readonly start: ChildStart;
  readonly session: OpenSession | undefined;
  release(): void;
}

export type ChildStart = Pick<
  InstanceSpec,
  'history' | 'keepsConversation' | 'heldResources' | 'sessionId' | 'activeGroups'
> & { readonly remembered: JsonObject };

export type AccessRefusal = NonNullable<InstanceSpec['refusal']>;

/**
 * Waits for the call's turn and opens its session. If the scope is cancelled meanwhile, the access holds no resource, and
 * the child's instance is only closed.
 */
export async function acquireAccess(
  instance: Instance,
  delegation: Delegation,
  args: JsonObject | undefined,
  { permit, childTurn }: CallSlot,
): Promise<Result<ChildAccess, AccessRefusal>> {
  const { run, spec, scope } = instance;
  const { child } = delegation.route;
  const wanted = wantedSession(instance, delegation, args);
  if (!wanted && !needsAccess(delegation.route.options)) {
    const held = run.scheduler.acquirePermit(permit);
    if (held) await held;
    return ok({ start: startOf(instance, delegation, []), session: undefined, release: releaseNothing });
  }
  const pool = poolResource(child.name, delegation.route.options);
  const resources = [sessionResource(instance, delegation, wanted), pool].flatMap((resource) => resource ?? []);
  const held = resources.find(({ key }) => spec.heldResources.includes(key));
  if (held) {
    const message = `Agent '${child.name}' already runs for this call, so the call would wait for itself. Do the task without it, or use another session.`;
    return err({ code: 'NOT_ALLOWED', message });
  }
  // A call that continues after a crash had its turn before, so it does not wait for one.
  if (childTurn && !run.scheduler.isReserved(delegation.step) && !childTurn.order.isTurnOf(childTurn.index)) {
    run.scheduler.release(permit);
    await childTurn.order.turnOf(childTurn.index);
  }
  const { step } = delegation;
  const acquiring = run.scheduler.acquire({ resources, permit, held: spec.heldResources, step }, scope);
  childTurn?.order.settle(childTurn.index);
  const release = await acquiring;
  if (release === 'cancelled') {
    return ok({ start: startOf(instance, delegation, []), session: undefined, release: releaseNothing });
  }
  if (release === 'deadlock') {
    const message = `Agent '${child.name}' is held by a call that waits for this one to end. Do the task without it, use another session, or call it later.`;
    return err({ code: 'NOT_ALLOWED', message });
  }
  const keys = resources.map(({ key }) => key);
  const opened = wanted ? await openSession(instance, delegation, wanted) : ok(undefined);
  if (!opened.ok) {
    release();
    return opened;
  }
  return ok({ start: startOf(instance, delegation, keys, opened.value), session: opened.value, release });
}

function releaseNothing(): void {}

/** True if calls of such a delegation share a session, an instance or a pool. */
export function needsAccess({ session = 'none', isolation = 'clone' }: DelegationOptions): boolean {
  return session !== 'none' || isolation !== 'clone';
}

/** Tells the model that a session was not saved. The log tells a person why. */
export const sessionNotKept =
  '(The session could not be saved: later calls may not know what was said in this one. Repeat what matters.)\n';

/** Saves the conversation of a successful call in its session. Resolves to false if it could not be stored. */
export async function keepConversation(
  instance: Instance,
  delegation: Delegation,
  access: ChildAccess,
  outcome: InstanceOutcome,
): Promise<boolean> {
  if (!outcome.conversation || !access.session) return true;
  const { step, path, route } = delegation;
  const use = { step, path, remembers: agentView(route.child).useHistory };
  return saveSession(instance.run, use, access.session, outcome);
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
    heldResources: [...instance.spec.heldResources, ...keys],
    sessionId: session?.isStored ? session.id : undefined,
  };
}

/**
 * Returns `undefined` once the session of this call is saved: its resource was released, and another call may hold it now.
 */
function sessionResource({ run }: Instance, { step }: Delegation, wanted: Wanted | undefined): Resource | undefined {
  return wanted && !run.journal.isSessionSaved(step) ? { key: sessionKeyOf(wanted), capacity: 1 } : undefined;
}
