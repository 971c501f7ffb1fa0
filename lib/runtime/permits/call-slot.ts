import type { JsonObject } from '@/lib/base/json';
import type { CallOrder } from './call-order';
import type { Permit, Seats } from './seats';

/** The place of one call in its batch. */
export interface CallSlot {
  readonly index: number;
  /** Held while its hooks, its tool or its child run; given back while it waits and when the tool or child has ended. */
  readonly permit: Permit;
  /** Who leaves state behind next: calls settle here when they end. */
  readonly order: CallOrder;
  /** Who of those that call the same child asks for a place next: calls settle here when they have asked, or will not. */
  readonly seating: { readonly order: CallOrder; readonly index: number } | undefined;
  /** The caller's state when the call could begin. */
  readonly stateBefore: JsonObject;
  /** Calls of this batch that work out an answer others may share, by key. */
  readonly owners: Map<string, number>;
  /** Instances tried so far. */
  attempts: number;
  /** Set when the result is that of an equal call. */
  cached: boolean;
}

/** Waits until every call before this one has ended. What it ran has ended too, so its permit goes to another. */
export function turnToCommit(seats: Seats, { index, permit, order }: CallSlot): Promise<void> {
  seats.give(permit);
  return order.turnOf(index);
}
