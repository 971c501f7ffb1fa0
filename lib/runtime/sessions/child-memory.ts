import type { JsonObject } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import type { Delegation } from '@/lib/runtime/delegation/delegation';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { InstanceOutcome, InstanceSpec } from '@/lib/runtime/instance/instance-spec';
import type { CallSlot } from '@/lib/runtime/permits/call-slot';
import { type PlaceWish, poolSeat, sessionSeat } from '@/lib/runtime/permits/seats';
import { initialHistory } from './child-history';
import { type OpenSession, openSession, saveSession, type Wanted, wantedSession } from './child-session';

/**
 * What a call takes before its child begins and gives back when it has ended: its turn at a session, a shared instance or a
 * pool, and the conversation that goes on there.
 *
 *   call ──take──▶ turn ──open──▶ session.opened ──▶ the child runs ──success──▶ store, session.saved ──▶ leave
 *                   ╰ waits for earlier calls         ╰ anything else: nothing is saved
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

export type SeatRefusal = NonNullable<InstanceSpec['refusal']>;

/**
 * Waits for the call's turn and opens its session. When the scope is cancelled meanwhile, the seat is an empty one: the
 * child's lane is only closed.
 */
export async function takeSeat(
  instance: Instance,
  delegation: Delegation,
  args: JsonObject | undefined,
  { permit, seating }: CallSlot,
): Promise<Result<Seat, SeatRefusal>> {
  const { run, spec, scope } = instance;
  const { child } = delegation.route;
  const wanted = wantedSession(instance, delegation, args);
  if (!wanted && !needsSeat(delegation.route.options)) {
    const held = run.seats.hold(permit);
    if (held) await held;
    return ok({ start: startOf(instance, delegation, []), session: undefined, leave: leaveNothing });
  }
  const pool = poolSeat(child.name, delegation.route.options);
  const places = [sessionPlace(instance, delegation, wanted), pool].flatMap((place) => place ?? []);
  const held = places.find(({ key }) => spec.heldSeats.includes(key));
  if (held) {
    const message = `Agent '${child.name}' is at work on this call's behalf already, so it would wait for itself. Call it without, or in another session.`;
    return err({ code: 'NOT_ALLOWED', message });
  }
  // One that comes back after a crash had its turn before.
  if (seating && !run.seats.isReserved(delegation.step) && !seating.order.isTurnOf(seating.index)) {
    run.seats.give(permit);
    await seating.order.turnOf(seating.index);
  }
  const { step } = delegation;
  const taking = run.seats.take({ places, permit, held: spec.heldSeats, step }, scope);
  seating?.order.settle(seating.index);
  const leave = await taking;
  if (leave === 'cancelled') {
    return ok({ start: startOf(instance, delegation, []), session: undefined, leave: leaveNothing });
  }
  if (leave === 'ring') {
    const message = `Agent '${child.name}' is held by a call that waits for this one to end. Call it without, in another session, or later.`;
    return err({ code: 'NOT_ALLOWED', message });
  }
  const keys = places.map(({ key }) => key);
  const opened = wanted ? await openSession(instance, delegation, wanted) : ok(undefined);
  if (!opened.ok) {
    leave();
    return opened;
  }
  return ok({ start: startOf(instance, delegation, keys, opened.value), session: opened.value, leave });
}

function leaveNothing(): void {}

/** True when calls of such a delegation take turns at something. */
export function needsSeat({ session = 'none', isolation = 'clone' }: DelegationOptions): boolean {
  return session !== 'none' || isolation !== 'clone';
}

/** What the model reads of a session that was not saved; a person reads why in the log. */
export const sessionNotKept =
  '(The session could not be saved: later calls may not know what was said in this one. Repeat what matters.)\n';

/** Keeps what a successful call said in its session. Resolves to false when the store has not got it. */
export async function keepConversation(
  instance: Instance,
  delegation: Delegation,
  seat: Seat,
  spec: InstanceSpec,
  outcome: InstanceOutcome,
): Promise<boolean> {
  if (!outcome.conversation || !seat.session) return true;
  return saveSession(instance, delegation, seat.session, spec, outcome);
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

/** A call whose session is saved has given its seat back, and somebody else may be at it since. */
function sessionPlace({ run }: Instance, { step }: Delegation, wanted: Wanted | undefined): PlaceWish | undefined {
  return wanted && !run.journal.isSessionSaved(step) ? { key: sessionSeat(wanted), capacity: 1 } : undefined;
}
