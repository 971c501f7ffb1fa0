import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import type { SessionKey } from '@/lib/runtime/record/events';
import type { Scope } from '@/lib/runtime/scope';

/**
 * Decides when a tool call may start. Every call needs a permit of its batch's semaphore. A call of a child may also need
 * resources: a session, a shared instance or a place in a pool.
 *
 *   semaphore of a batch   free: 1   waiting: t2 t5 t7    in the order of the batch
 *   resource               taken: n  waiting: t5 u3       in the order of arrival, from any batch
 *                          a released permit or resource goes to the first waiting call that can then start
 *
 * A call gets its permit and its resources together. No call holds one while it waits for another, and no call waits when
 * everything it needs is free. Only resources held by the calls above it can cause a deadlock: the call that would complete
 * the wait cycle is refused.
 */
export class CallScheduler {
  private readonly resources = new Map<string, ResourceUse>();
  /** Calls that wait for a resource. */
  private readonly waiting = new Set<Waiter>();
  /** Resources that calls held when a worker died. They are kept for these calls. */
  private readonly reserved: Map<string, readonly string[]>;

  /** `held` maps the step of a call to the keys of the resources reserved for it. */
  constructor(held: ReadonlyMap<string, readonly string[]>) {
    this.reserved = new Map(held);
    for (const key of [...held.values()].flat()) this.usageOf(key).taken += 1;
  }

  /** True for a call that held resources when a worker died and has not acquired them again. */
  isReserved(step: string): boolean {
    return this.reserved.has(step);
  }

  /** Acquires the permit. Returns `undefined` if the call has it now, otherwise a promise that resolves when it has. */
  acquirePermit(permit: Permit): Promise<void> | undefined {
    if (permit.isHeld) return undefined;
    const { semaphore } = permit;
    if (semaphore.free > 0) {
      semaphore.free -= 1;
      permit.isHeld = true;
      return undefined;
    }
    return new Promise((resolve) => this.enqueue(waiterFor(permit, resolve)));
  }

  /** Runs `start` as soon as the call has its permit, immediately if one is free. */
  begin(permit: Permit, start: () => void): void {
    if (permit.semaphore.free === 0) {
      this.enqueue(waiterFor(permit, start));
      return;
    }
    permit.semaphore.free -= 1;
    permit.isHeld = true;
    start();
  }

  /** Releases the permit, if it is held. */
  release(permit: Permit): void {
    if (!permit.isHeld) return;
    permit.isHeld = false;
    permit.semaphore.free += 1;
    this.grantWaiting(permit.semaphore);
  }

  /**
   * Acquires the resources and the permit together. A call that must wait releases its permit first. `held` names the
   * resources that the calls above this one hold.
   */
  async acquire({ resources: wanted, permit, held, step }: Claim, scope: Scope): Promise<Acquired> {
    const own = this.reserved.get(step)?.filter((key) => wanted.some((resource) => resource.key === key)) ?? [];
    this.dropReserved(step, own);
    const resources = wanted.filter(({ key }) => !own.includes(key));
    const releaseOwn = () => this.releaseResources(own);
    const waiter: Waiter = { permit, resources, held: [...held, ...own], wake: () => {}, isGranted: false };
    if (this.mayBegin(waiter)) this.grant(waiter);
    else {
      if (this.wouldDeadlock(waiter)) {
        releaseOwn();
        return 'deadlock';
      }
      this.release(permit);
      if (!(await this.turn(waiter, scope))) {
        releaseOwn();
        return 'cancelled';
      }
    }
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.releaseResources([...own, ...resources.map(({ key }) => key)]);
    };
  }

  private async turn(waiter: Waiter, scope: Scope): Promise<boolean> {
    const turn = new Promise<boolean>((resolve) => {
      waiter.wake = () => resolve(true);
    });
    this.enqueue(waiter);
    if (await scope.race(turn, () => false)) return true;
    // Everything may have been granted just before the cancellation.
    if (waiter.isGranted) {
      this.release(waiter.permit);
      this.releaseResources(waiter.resources.map(({ key }) => key));
    } else this.dequeue(waiter);
    return false;
  }

  private enqueue(waiter: Waiter): void {
    const { waiting } = waiter.permit.semaphore;
    const last = waiting.at(-1);
    if (!last || last.permit.rank <= waiter.permit.rank) waiting.push(waiter);
    else waiting.splice(waiting.findLastIndex(({ permit }) => permit.rank <= waiter.permit.rank) + 1, 0, waiter);
    if (waiter.resources.length === 0) return;
    this.waiting.add(waiter);
    for (const { key } of waiter.resources) this.usageOf(key).waiting.add(waiter);
  }

  private dequeue(waiter: Waiter): void {
    const { waiting } = waiter.permit.semaphore;
    if (waiting[0] === waiter) waiting.shift();
    else waiting.splice(waiting.indexOf(waiter), 1);
    if (waiter.resources.length === 0) return;
    this.waiting.delete(waiter);
    for (const { key } of waiter.resources) this.usageOf(key).waiting.delete(waiter);
  }

  private mayBegin({ permit, resources }: Waiter): boolean {
    return (permit.isHeld || permit.semaphore.free > 0) && resources.every((resource) => !this.isFull(resource));
  }

  private isFull({ key, capacity }: Resource): boolean {
    return (this.resources.get(key)?.taken ?? 0) >= capacity;
  }

  private grant({ permit, resources }: Waiter): void {
    if (!permit.isHeld) permit.semaphore.free -= 1;
    permit.isHeld = true;
    for (const { key } of resources) this.usageOf(key).taken += 1;
  }

  private wake(waiter: Waiter): void {
    this.dequeue(waiter);
    this.grant(waiter);
    waiter.isGranted = true;
    waiter.wake();
  }

  private grantWaiting(semaphore: Semaphore): void {
    for (let index = 0; semaphore.free > 0; ) {
      const waiter = semaphore.waiting[index];
      if (!waiter) return;
      if (this.mayBegin(waiter)) this.wake(waiter);
      else index += 1;
    }
  }

  private releaseResources(keys: readonly string[]): void {
    for (const key of keys) this.usageOf(key).taken -= 1;
    for (const key of keys) {
      const resource = this.usageOf(key);
      for (const waiter of resource.waiting) if (this.mayBegin(waiter)) this.wake(waiter);
      if (resource.taken === 0 && resource.waiting.size === 0) this.resources.delete(key);
    }
  }

  /**
   * True if one of the full resources is held, directly or through waiting calls, by a call that waits for this one to end
   * (a deadlock). In a pool another place might become free first; the call is refused even so, because that cannot be
   * known.
   */
  private wouldDeadlock({ resources, held }: Waiter): boolean {
    const keys = new Set(this.fullOf(resources));
    for (const wanted of keys) {
      if (held.includes(wanted)) return true;
      for (const one of this.waiting)
        if (one.held.includes(wanted)) for (const key of this.fullOf(one.resources)) keys.add(key);
    }
    return false;
  }

  private fullOf(resources: readonly Resource[]): string[] {
    return resources.filter((resource) => this.isFull(resource)).map(({ key }) => key);
  }

  /** Releases the resources reserved for the call of this step, except those in `takenOver`. */
  dropReserved(step: string, takenOver: readonly string[] = []): void {
    const keys = this.reserved.get(step);
    if (keys === undefined) return;
    this.reserved.delete(step);
    this.releaseResources(keys.filter((key) => !takenOver.includes(key)));
  }

  private usageOf(key: string): ResourceUse {
    const resource = this.resources.get(key) ?? { taken: 0, waiting: new Set() };
    this.resources.set(key, resource);
    return resource;
  }
}

/** Limits how many calls of a batch run at once. */
export interface Semaphore {
  free: number;
  /** Waiting calls, sorted by rank. */
  readonly waiting: Waiter[];
}

export function semaphoreOf(limit: number): Semaphore {
  return { free: limit, waiting: [] };
}

/** The permit of one call. The call holds it while it runs, not while it waits. Only `CallScheduler` changes `isHeld`. */
export interface Permit {
  readonly semaphore: Semaphore;
  /** Of the calls that could start, the one with the lowest rank starts. */
  readonly rank: number;
  isHeld: boolean;
}

/** A session, a shared instance or a pool, with the number of calls that may use it at once. */
export interface Resource {
  readonly key: string;
  readonly capacity: number;
}

export interface Claim {
  readonly resources: readonly Resource[];
  readonly permit: Permit;
  readonly held: readonly string[];
  readonly step: string;
}

/** A function that releases the resources but not the permit, or the reason why they were not acquired. */
export type Acquired = (() => void) | 'cancelled' | 'deadlock';

interface Waiter {
  readonly permit: Permit;
  readonly resources: readonly Resource[];
  readonly held: readonly string[];
  wake: () => void;
  isGranted: boolean;
}

/** Makes the waiter of a call that needs only its permit. */
function waiterFor(permit: Permit, wake: () => void): Waiter {
  return { permit, resources: nothing, held: nothing, wake, isGranted: false };
}

const nothing: readonly never[] = [];

interface ResourceUse {
  taken: number;
  /** Waiting calls in the order of arrival. */
  readonly waiting: Set<Waiter>;
}

/** Returns the key of a session's resource. */
export function sessionKeyOf({ id, owner }: SessionKey): string {
  return `session ${owner}: ${id}`;
}

/** Returns the resource of a pool or of a shared instance; `undefined` when the calls of this child need none. */
export function poolResource(
  child: string,
  { session = 'none', isolation = 'clone' }: DelegationOptions,
): Resource | undefined {
  if (isolation === 'clone') return undefined;
  // A shared instance without a session option has an implicit session. That session is the resource already.
  if (isolation === 'shared') return session === 'none' ? undefined : { key: `shared ${child}`, capacity: 1 };
  // A pool belongs to the child's name, so all its callers share it.
  return { key: `pool ${child}`, capacity: isolation.pool };
}
