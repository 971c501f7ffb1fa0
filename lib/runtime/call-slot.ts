import type { JsonObject } from '@/lib/base/json';
import type { CommitOrder } from './commit-order';

/** The place of one call in its batch. */
export interface CallSlot {
  readonly index: number;
  readonly order: CommitOrder;
  /** The caller's state when the call could begin. */
  readonly stateBefore: JsonObject;
  /** Calls of this batch that work out an answer others may share, by key. */
  readonly owners: Map<string, number>;
  /** Instances tried so far. */
  attempts: number;
  /** Set when the result is that of an equal call. */
  cached: boolean;
}
