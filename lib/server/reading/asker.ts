import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor } from '@/lib/base/actor';

/** Who waits for a reading. */
export interface Asker {
  /** Of one owner, one folder is read at a time. Unset for the one person without accounts. */
  readonly owner: string | undefined;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal | undefined;
}

/** One is kept on `globalThis`, because Next evaluates modules more than once. */
const holder: { callboardAskers?: AsyncLocalStorage<Asker> } = globalThis as never;
holder.callboardAskers ??= new AsyncLocalStorage();
const askers = holder.callboardAskers;

/**
 * Does work for an actor. What is read meanwhile takes its turn among the readings of all actors (./thread-pool). It is not passed from
 * function to function, because every reading of a request counts, wherever it is. Work that is part of other work keeps its asker.
 */
export function askedBy<T>(actor: Actor, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return currentAsker() === undefined ? askers.run({ owner: ownerOf(actor), signal }, work) : work();
}

export function currentAsker(): Asker | undefined {
  return askers.getStore();
}

function ownerOf({ reach }: Actor): string | undefined {
  if (reach === 'all') return undefined;
  return reach.kind === 'share' ? `address ${reach.address}` : `person ${reach.userId}`;
}
