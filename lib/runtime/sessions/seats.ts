import type { Scope } from '@/lib/runtime/scope';

/**
 * Turns at things that only so many calls may use at once: a session, a shared instance, the instances of a pool. First
 * come, first served.
 *
 *   key ──▶ taken: n of capacity
 *           waiting: ▢ ▢ ▢   ── leave() of one wakes the first
 *
 * Nobody waits in a ring: where a seat that one call wants is held by calls that wait, in the end, for a seat it holds itself,
 * the last to come is turned away.
 */
export class Seats {
  private readonly places = new Map<string, Place>();
  private readonly waiting = new Set<Waiting>();
  /** Seats of calls that had them when a worker died: nobody else gets them before these have come back. */
  private readonly reserved: Map<string, string>;

  /** `held`: step → key. */
  constructor(held: ReadonlyMap<string, string>) {
    this.reserved = new Map(held);
    for (const key of held.values()) this.placeOf(key).taken += 1;
  }

  /** `held`: keys of seats that the calls above this one have. */
  async take({ key, capacity }: Wish, held: readonly string[], scope: Scope, step: string): Promise<Taken> {
    const place = this.placeOf(key);
    if (this.reserved.get(step) === key) this.reserved.delete(step);
    else if (place.taken < capacity) place.taken += 1;
    else {
      if (this.waitsFor(key, held)) return 'ring';
      const mine = await this.turn({ key, capacity, held }, place, scope);
      if (!mine) return 'cancelled';
    }
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.leave(key, place);
    };
  }

  private async turn(wish: Waiting, place: Place, scope: Scope): Promise<boolean> {
    let wake: (() => void) | undefined;
    const turn = new Promise<true>((resolve) => {
      wake = () => resolve(true);
      place.waiting.push(wake);
    });
    this.waiting.add(wish);
    const mine = await scope.race<boolean>(turn, () => false);
    this.waiting.delete(wish);
    if (mine) return true;
    const index = wake ? place.waiting.indexOf(wake) : -1;
    if (index >= 0) place.waiting.splice(index, 1);
    else this.leave(wish.key, place);
    return false;
  }

  /**
   * True if a seat at `key`, all of which are taken, is held, directly or through waiting calls, by a holder of `held` (a
   * deadlock). Of several seats another might come free first: such a call is turned away all the same.
   */
  private waitsFor(key: string, held: readonly string[]): boolean {
    const keys = new Set([key]);
    for (const wanted of keys) {
      if (held.includes(wanted)) return true;
      for (const one of this.waiting) if (one.held.includes(wanted)) keys.add(one.key);
    }
    return false;
  }

  /** The call of this step will not come back for its seat. */
  forgo(step: string): void {
    const key = this.reserved.get(step);
    if (key === undefined) return;
    this.reserved.delete(step);
    this.leave(key, this.placeOf(key));
  }

  private placeOf(key: string): Place {
    const place = this.places.get(key) ?? { taken: 0, waiting: [] };
    this.places.set(key, place);
    return place;
  }

  private leave(key: string, place: Place): void {
    const next = place.waiting.shift();
    // The seat goes over to the next one: `taken` stays.
    if (next) next();
    else {
      place.taken -= 1;
      if (place.taken === 0) this.places.delete(key);
    }
  }
}

/** A seat that a call wants: so many may be there at once. */
export interface Wish {
  readonly key: string;
  readonly capacity: number;
}

/** What gives the seat back; or why there is none: the scope was cancelled first, or the call would wait for itself. */
export type Taken = (() => void) | 'cancelled' | 'ring';

interface Waiting extends Wish {
  readonly held: readonly string[];
}

interface Place {
  taken: number;
  readonly waiting: (() => void)[];
}

/** The seat of a session. */
export function sessionSeat(id: string): string {
  return `session ${id}`;
}
