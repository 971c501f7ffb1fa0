import type { Store } from '@/lib/store/database';
import { type RateLimiter, rateLimiter } from '@/lib/store/rate-limiter';
import { tooMany } from './too-many';

/*
 * The limits on tries. Callers count a try before the work that it guards, so that tries at the same time cannot pass together.
 *
 *   refuseKnown    asks this process alone and is called first: a client that was refused costs no work of the database
 *   countTry       counts on the database, and refuses beyond the limit
 *   forgetTries    is called after a success, where only failures count
 *
 * Sign-in with a password has several limits that belong together: ./sign-in.
 */

interface Limit {
  readonly most: number;
  readonly seconds: number;
  /** Completes "Too many …". */
  readonly words: string;
}

const minutes = 60;

const limits = {
  /** By person. A code is short, so tries of all addresses count together. */
  'second factor': { most: 5, seconds: 15 * minutes, words: 'codes of the second factor were tried' },
  /** By person who is signed in, where the password is asked for again. */
  'own password': { most: 10, seconds: 15 * minutes, words: 'wrong passwords were tried' },
  /** By address: wrong setup links, invitations and links that reset a password. */
  link: { most: 20, seconds: 10 * minutes, words: 'links were tried from this address' },
  /** By address. There is nothing to guess in a passkey; the limit bounds the work. */
  passkey: { most: 60, seconds: 10 * minutes, words: 'sign-ins with a passkey were begun from this address' },
  /** By address. */
  'wrong token': { most: 30, seconds: 10 * minutes, words: 'wrong tokens came from this address' },
  /** By address. */
  'wrong share link': { most: 30, seconds: 10 * minutes, words: 'wrong links came from this address' },
  /** By address. */
  'wrong webhook': {
    most: 30,
    seconds: 10 * minutes,
    words: 'webhooks without a signature that fits came from this address',
  },
  /** By trigger, after the signature, so that nobody else can use it up. */
  webhook: { most: 120, seconds: minutes, words: 'messages came to this webhook' },
  /** By address. Commands that ask people for a token. */
  login: { most: 20, seconds: 10 * minutes, words: 'logins of commands were begun from this address' },
  /** By the hash of the token. */
  token: { most: 1_200, seconds: minutes, words: 'requests came with this token' },
  /** By sender, which is a token, or the person in a browser. */
  traces: { most: 600, seconds: minutes, words: 'traces came from this sender' },
  a2a: { most: 1_200, seconds: minutes, words: 'requests of A2A came from this sender' },
  mcp: { most: 1_200, seconds: minutes, words: 'requests of MCP came from this sender' },
  /** By target of notices. */
  'test notice': { most: 10, seconds: 10 * minutes, words: 'test notices were sent to this address' },
  /** By project. */
  'mirror push': { most: 10, seconds: 10 * minutes, words: 'pushes to the mirror were asked for' },
} satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;

/** Throws AppError `too_many` if this process knows that a try of `key` would be refused. Asks no database. */
export function refuseKnown(store: Store, name: LimitName, key: string): void {
  const waitMs = limiterOf(store, name).knownRefusal(key);
  if (waitMs !== undefined) throw tooMany(limits[name].words, waitMs);
}

/** Counts a try. Throws AppError `too_many` if it is one too many; the window does not become longer by that. */
export async function countTry(store: Store, name: LimitName, key: string): Promise<void> {
  const waitMs = await limiterOf(store, name).count(key);
  if (waitMs !== undefined) throw tooMany(limits[name].words, waitMs);
}

/** Forgets the tries of `key`, after the right one. */
export async function forgetTries(store: Store, name: LimitName, key: string): Promise<void> {
  await limiterOf(store, name).forget(key);
}

function limiterOf(store: Store, name: LimitName): RateLimiter {
  const { most, seconds } = limits[name];
  return rateLimiter(store, { name, most, seconds });
}
