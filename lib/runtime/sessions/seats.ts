import type { Scope } from '@/lib/runtime/scope';

/**
 * Turns at things that only so many calls may use at once: a session, a shared instance, the instances of a pool. First
 * come, first served.
 *
 *   key ──▶ taken: n of capacity
 *           waiting: ▢ ▢ ▢   ── leave() of one wakes the first
 */
export class Seats {
  private readonly places = new Map<string, Place>();
  /** Seats of calls that had them when a worker died: nobody else gets them before these have come back. */
  private readonly reserved: Map<string, string>;

  /** `held`: step → key. */
  constructor(held: ReadonlyMap<string, string>) {
    this.reserved = new Map(held);
    for (const key of held.values()) this.placeOf(key).taken += 1;
  }

  /** Resolves with what gives the seat back, or undefined when the scope was cancelled first. */
  async take(key: string, capacity: number, scope: Scope, step: string): Promise<(() => void) | undefined> {
    const place = this.placeOf(key);
    if (this.reserved.get(step) === key) this.reserved.delete(step);
    else if (place.taken < capacity) place.taken += 1;
    else {
      let wake: (() => void) | undefined;
      const turn = new Promise<true>((resolve) => {
        wake = () => resolve(true);
        place.waiting.push(wake);
      });
      const mine = await scope.race<boolean>(turn, () => false);
      if (!mine) {
        const index = wake ? place.waiting.indexOf(wake) : -1;
        if (index >= 0) place.waiting.splice(index, 1);
        else this.leave(key, place);
        return undefined;
      }
    }
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.leave(key, place);
    };
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

interface Place {
  taken: number;
  readonly waiting: (() => void)[];
}

/** The seat of a session. */
export function sessionSeat(id: string): string {
  return `session ${id}`;
}
