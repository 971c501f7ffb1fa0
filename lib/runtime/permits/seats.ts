import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import type { SessionKey } from '@/lib/runtime/record/events';
import type { Scope } from '@/lib/runtime/scope';

/**
 * Who may begin. A call needs a permit, of which its batch has as many as calls of it may run at once, and perhaps places: at
 * a session, a shared instance, among the instances of a pool.
 *
 *   permits of a batch   free: 1   waiting: t2 t5 t7      by their place in the batch
 *   place                taken: n  waiting: t5 u3         as they came, from whatever batch
 *                        ── what is given back goes to the first who then has all it needs
 *
 * All that a call waits for is granted at once, so nobody holds one thing while it waits for another, and nobody waits while
 * everything it needs is free. Only what calls above it hold can make a wait cycle: the last to come is turned away.
 */
export class Seats {
  private readonly places = new Map<string, Place>();
  /** Those that wait for a place. */
  private readonly waiting = new Set<Waiter>();
  /** Places of calls that had them when a worker died: nobody else gets them before these have come back. */
  private readonly reserved: Map<string, readonly string[]>;

  /** `held`: step → keys. */
  constructor(held: ReadonlyMap<string, readonly string[]>) {
    this.reserved = new Map(held);
    for (const key of [...held.values()].flat()) this.placeOf(key).taken += 1;
  }

  /** True for a call that had places when a worker died and has not come back for them. */
  isReserved(step: string): boolean {
    return this.reserved.has(step);
  }

  /** Undefined when the call has its permit now; else it has it when the promise resolves. */
  hold(permit: Permit): Promise<void> | undefined {
    if (permit.isHeld) return undefined;
    const { permits } = permit;
    if (permits.free > 0) {
      permits.free -= 1;
      permit.isHeld = true;
      return undefined;
    }
    return new Promise((resolve) => this.enqueue(waiterFor(permit, resolve)));
  }

  /** Calls `start` as soon as the call has its permit: at once, or later when others give theirs back. */
  begin(permit: Permit, start: () => void): void {
    if (permit.permits.free === 0) {
      this.enqueue(waiterFor(permit, start));
      return;
    }
    permit.permits.free -= 1;
    permit.isHeld = true;
    start();
  }

  /** Gives the permit back, if it is held. */
  give(permit: Permit): void {
    if (!permit.isHeld) return;
    permit.isHeld = false;
    permit.permits.free += 1;
    this.grantPermits(permit.permits);
  }

  /**
   * The places and the permit, all at once. A call that must wait gives back the permit it has. `held`: keys of places that
   * the calls above this one have.
   */
  async take({ places: wanted, permit, held, step }: Wish, scope: Scope): Promise<Taken> {
    const own = this.reserved.get(step)?.filter((key) => wanted.some((place) => place.key === key)) ?? [];
    this.forgo(step, own);
    const places = wanted.filter(({ key }) => !own.includes(key));
    const leaveOwn = () => this.leave(own);
    const waiter: Waiter = { permit, places, held: [...held, ...own], wake: () => {}, isGranted: false };
    if (this.mayBegin(waiter)) this.grant(waiter);
    else {
      if (this.wouldDeadlock(waiter)) {
        leaveOwn();
        return 'ring';
      }
      this.give(permit);
      if (!(await this.turn(waiter, scope))) {
        leaveOwn();
        return 'cancelled';
      }
    }
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.leave([...own, ...places.map(({ key }) => key)]);
    };
  }

  private async turn(waiter: Waiter, scope: Scope): Promise<boolean> {
    const turn = new Promise<boolean>((resolve) => {
      waiter.wake = () => resolve(true);
    });
    this.enqueue(waiter);
    if (await scope.race(turn, () => false)) return true;
    // It may have been granted everything at the very moment of the stop.
    if (waiter.isGranted) {
      this.give(waiter.permit);
      this.leave(waiter.places.map(({ key }) => key));
    } else this.dequeue(waiter);
    return false;
  }

  private enqueue(waiter: Waiter): void {
    const { waiting } = waiter.permit.permits;
    const last = waiting.at(-1);
    if (!last || last.permit.rank <= waiter.permit.rank) waiting.push(waiter);
    else waiting.splice(waiting.findLastIndex(({ permit }) => permit.rank <= waiter.permit.rank) + 1, 0, waiter);
    if (waiter.places.length === 0) return;
    this.waiting.add(waiter);
    for (const { key } of waiter.places) this.placeOf(key).waiting.add(waiter);
  }

  private dequeue(waiter: Waiter): void {
    const { waiting } = waiter.permit.permits;
    if (waiting[0] === waiter) waiting.shift();
    else waiting.splice(waiting.indexOf(waiter), 1);
    if (waiter.places.length === 0) return;
    this.waiting.delete(waiter);
    for (const { key } of waiter.places) this.placeOf(key).waiting.delete(waiter);
  }

  private mayBegin({ permit, places }: Waiter): boolean {
    return (permit.isHeld || permit.permits.free > 0) && places.every((place) => !this.isFull(place));
  }

  private isFull({ key, capacity }: PlaceWish): boolean {
    return (this.places.get(key)?.taken ?? 0) >= capacity;
  }

  private grant({ permit, places }: Waiter): void {
    if (!permit.isHeld) permit.permits.free -= 1;
    permit.isHeld = true;
    for (const { key } of places) this.placeOf(key).taken += 1;
  }

  private wake(waiter: Waiter): void {
    this.dequeue(waiter);
    this.grant(waiter);
    waiter.isGranted = true;
    waiter.wake();
  }

  private grantPermits(permits: Permits): void {
    for (let index = 0; permits.free > 0; ) {
      const waiter = permits.waiting[index];
      if (!waiter) return;
      if (this.mayBegin(waiter)) this.wake(waiter);
      else index += 1;
    }
  }

  private leave(keys: readonly string[]): void {
    for (const key of keys) this.placeOf(key).taken -= 1;
    for (const key of keys) {
      const place = this.placeOf(key);
      for (const waiter of place.waiting) if (this.mayBegin(waiter)) this.wake(waiter);
      if (place.taken === 0 && place.waiting.size === 0) this.places.delete(key);
    }
  }

  /**
   * True if one of the full places is held, directly or through waiting calls, by a call that waits for this one to end. Of
   * several seats another might come free first: such a call is turned away all the same.
   */
  private wouldDeadlock({ places, held }: Waiter): boolean {
    const keys = new Set(this.fullOf(places));
    for (const wanted of keys) {
      if (held.includes(wanted)) return true;
      for (const one of this.waiting)
        if (one.held.includes(wanted)) for (const key of this.fullOf(one.places)) keys.add(key);
    }
    return false;
  }

  private fullOf(places: readonly PlaceWish[]): string[] {
    return places.filter((place) => this.isFull(place)).map(({ key }) => key);
  }

  /** The call of this step will not come back for its places, but for those it has taken over. */
  forgo(step: string, takenOver: readonly string[] = []): void {
    const keys = this.reserved.get(step);
    if (keys === undefined) return;
    this.reserved.delete(step);
    this.leave(keys.filter((key) => !takenOver.includes(key)));
  }

  private placeOf(key: string): Place {
    const place = this.places.get(key) ?? { taken: 0, waiting: new Set() };
    this.places.set(key, place);
    return place;
  }
}

/** How many calls of a batch may run at once. */
export interface Permits {
  free: number;
  /** By rank. */
  readonly waiting: Waiter[];
}

export function permitsFor(limit: number): Permits {
  return { free: limit, waiting: [] };
}

/** The permit of one call, which it has while it runs and not while it waits. Only `Seats` changes `isHeld`. */
export interface Permit {
  readonly permits: Permits;
  /** Of calls that may begin, the one of the lowest rank begins. */
  readonly rank: number;
  isHeld: boolean;
}

/** A place that a call wants: so many may be there at once. */
export interface PlaceWish {
  readonly key: string;
  readonly capacity: number;
}

export interface Wish {
  readonly places: readonly PlaceWish[];
  readonly permit: Permit;
  readonly held: readonly string[];
  readonly step: string;
}

/** What gives the places back, not the permit; or why there are none: the scope was cancelled first, or the call would wait for itself. */
export type Taken = (() => void) | 'cancelled' | 'ring';

interface Waiter {
  readonly permit: Permit;
  readonly places: readonly PlaceWish[];
  readonly held: readonly string[];
  wake: () => void;
  isGranted: boolean;
}

/** Of a call that needs nothing but its permit. */
function waiterFor(permit: Permit, wake: () => void): Waiter {
  return { permit, places: nothing, held: nothing, wake, isGranted: false };
}

const nothing: readonly never[] = [];

interface Place {
  taken: number;
  /** As they came. */
  readonly waiting: Set<Waiter>;
}

/** The place of a session. */
export function sessionSeat({ id, owner }: SessionKey): string {
  return `session ${owner}: ${id}`;
}

/** The place of a pool, or of a shared instance beside its session; undefined when calls need none. */
export function poolSeat(
  child: string,
  { session = 'none', isolation = 'clone' }: DelegationOptions,
): PlaceWish | undefined {
  if (isolation === 'clone') return undefined;
  // The memory of a shared instance is a session of its own, where the delegation has no other.
  if (isolation === 'shared') return session === 'none' ? undefined : { key: `shared ${child}`, capacity: 1 };
  // A pool belongs to the child's name, whoever calls it (seed 000, section 2.3).
  return { key: `pool ${child}`, capacity: isolation.pool };
}
