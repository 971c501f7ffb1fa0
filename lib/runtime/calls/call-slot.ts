import type { JsonObject } from '@/lib/base/json';
import type { CallOrder } from './call-order';

/** The place of one call in its batch. */
export interface CallSlot {
  readonly index: number;
  /** Who leaves state behind next: calls settle here when they end. */
  readonly order: CallOrder;
  /** Who asks for a seat next: calls settle here when they have asked, or end without. */
  readonly seating: CallOrder;
  /** The caller's state when the call could begin. */
  readonly stateBefore: JsonObject;
  /** Calls of this batch that work out an answer others may share, by key. */
  readonly owners: Map<string, number>;
  /** Instances tried so far. */
  attempts: number;
  /** Set when the result is that of an equal call. */
  cached: boolean;
}
