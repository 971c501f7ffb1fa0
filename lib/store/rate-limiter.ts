import { createHash } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Store } from './database';

/** At most `most` tries of a key in a window of so many seconds. The window begins with the first try. */
export interface RateLimit {
  readonly name: string;
  readonly most: number;
  readonly seconds: number;
}

/**
 * Counts tries by key. The counts are on the database, so all processes share them. Keys are stored as hashes: the table names no
 * address and no account. A method rejects only if the database fails.
 */
export interface RateLimiter {
  /** Counts a try. Returns the milliseconds to wait if it was one too many, and `undefined` if it is allowed. */
  count(key: string): Promise<number | undefined>;
  /**
   * Returns the milliseconds for which this process knows that the key is refused. It asks no database, so `undefined` does not say
   * that a try would be allowed.
   */
  knownRefusal(key: string): number | undefined;
  /** Takes back one try that was counted. */
  giveBack(key: string): Promise<void>;
  /** Forgets all tries of a key. */
  forget(key: string): Promise<void>;
  /** Begins a window with one try, whatever was counted before. */
  restart(key: string): Promise<void>;
  /** True if the window of the key has a try. */
  has(key: string): Promise<boolean>;
}

// Next evaluates modules more than once, and what a process knows to be refused must be known to all of them.
const holder: { callboardLimiters?: WeakMap<Store, Map<string, RateLimiter>> } = globalThis as never;

/** Returns the limiter of a limit in this process. */
export function rateLimiter(store: Store, limit: RateLimit): RateLimiter {
  holder.callboardLimiters ??= new WeakMap();
  const known = holder.callboardLimiters.get(store) ?? new Map<string, RateLimiter>();
  holder.callboardLimiters.set(store, known);
  const id = `${limit.name} ${limit.most} ${limit.seconds}`;
  const limiter = known.get(id) ?? openLimiter(store, limit);
  known.set(id, limiter);
  return limiter;
}

/** The library has this method, but not in its types. It returns 0 for a key that is not blocked in memory. */
class Limiter extends RateLimiterPostgres {
  declare readonly getInMemoryBlockMsBeforeExpire: (key: string) => number;
}

function openLimiter({ pool }: Store, { name, most, seconds }: RateLimit): RateLimiter {
  const limiter = new Limiter({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'RateCount',
    tableCreated: true,
    // Workers remove expired rows.
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points: most,
    duration: seconds,
    inMemoryBlockOnConsumed: most + 1,
  });
  return {
    async count(key) {
      try {
        await limiter.consume(hashed(key));
        return undefined;
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return refusal.msBeforeNext;
        throw refusal;
      }
    },
    knownRefusal(key) {
      return limiter.getInMemoryBlockMsBeforeExpire(limiter.getKey(hashed(key))) || undefined;
    },
    async giveBack(key) {
      await limiter.reward(hashed(key));
    },
    async forget(key) {
      await limiter.delete(hashed(key));
    },
    async restart(key) {
      await limiter.set(hashed(key), 1, seconds);
    },
    async has(key) {
      return (await limiter.get(hashed(key))) !== null;
    },
  };
}

function hashed(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** Removes the counts of windows that are over. */
export async function removeExpiredCounts(store: Store): Promise<void> {
  await store.pool.query('DELETE FROM "RateCount" WHERE expire < $1', [Date.now()]);
}
