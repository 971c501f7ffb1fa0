import { isIPv6 } from 'node:net';
import type { Store } from '@/lib/store/database';
import { type RateLimiter, rateLimiter } from '@/lib/store/rate-limiter';
import { tooMany } from './too-many';

/**
 * Limits on sign-in with a password.
 *
 *   await beforeSignIn(store, {address, account})    before the account is looked up and the password is hashed
 *   … check the password …
 *   await afterSignIn(store, {address, account})     only after the right password
 *
 *   limit                      most            stops
 *   address and account        10 in 15 min    guessing of one password from one place
 *   address                    60 in 10 min    one place that tries many accounts
 *   account                    50 in 1 hour    many places that try one account
 *
 * A try counts before it is checked, so that tries at the same time cannot pass together, and a right one is taken back. Nobody can lock
 * a person out of the places that the person uses: an address from which somebody has signed in to the account within 30 days is free of
 * the limit of the account. The answer is the same for accounts that do not exist.
 */
export interface SignInTry {
  /** The address of the client, as `clientAddress` tells it. */
  readonly address: string;
  /** The e-mail address that was typed. */
  readonly account: string;
}

/**
 * Counts a try. Throws AppError `too_many` when there were too many. A client that goes on after that is refused by this process
 * without the database.
 */
export async function beforeSignIn(store: Store, attempt: SignInTry): Promise<void> {
  const counts = countsOf(store, attempt);
  for (const { limiter, key, what } of counts) {
    const waitMs = what === 'account' ? undefined : limiter.knownRefusal(key);
    if (waitMs !== undefined) throw tooMany(words[what], waitMs);
  }
  for (const { limiter, key, what } of counts) {
    const waitMs = await limiter.count(key);
    if (waitMs !== undefined && !(await isForgiven(store, attempt, what))) throw tooMany(words[what], waitMs);
  }
}

/** Takes a try back that was not checked. */
export async function withdrawSignIn(store: Store, attempt: SignInTry): Promise<void> {
  for (const { limiter, key } of countsOf(store, attempt)) await limiter.giveBack(key);
}

/** True if somebody has signed in to the account from this address within 30 days. */
export async function isKnownPlace(store: Store, attempt: SignInTry): Promise<boolean> {
  return await knownPlaces(store).has(pairOf(attempt));
}

/** Says that the try was right. The address is then known as one of the account for 30 days. */
export async function afterSignIn(store: Store, attempt: SignInTry): Promise<void> {
  for (const { limiter, key, what } of countsOf(store, attempt)) {
    if (what === 'pair') await limiter.forget(key);
    else await limiter.giveBack(key);
  }
  await knownPlaces(store).restart(pairOf(attempt));
}

type What = 'pair' | 'address' | 'account';

const words: Readonly<Record<What, string>> = {
  pair: 'wrong sign-ins to this account',
  address: 'wrong sign-ins from this address',
  // Not the words of "pair" by chance: whoever guesses must not learn which of the two it is.
  account: 'wrong sign-ins to this account',
};

interface Count {
  readonly what: What;
  readonly limiter: RateLimiter;
  readonly key: string;
}

/** The narrowest limit comes first, so that a client that repeats one guess counts no further. */
function countsOf(store: Store, attempt: SignInTry): readonly Count[] {
  const limit = (what: What, most: number, seconds: number) =>
    rateLimiter(store, { name: `sign-in ${what}`, most, seconds });
  return [
    { what: 'pair', limiter: limit('pair', 10, 900), key: pairOf(attempt) },
    { what: 'address', limiter: limit('address', 60, 600), key: placeOf(attempt.address) },
    { what: 'account', limiter: limit('account', 50, 3_600), key: accountOf(attempt.account) },
  ];
}

/** Only the limit of the account is waived. An address comes here at most ten times in 15 minutes: then its pair is refused. */
async function isForgiven(store: Store, attempt: SignInTry, what: What): Promise<boolean> {
  return what === 'account' && (await isKnownPlace(store, attempt));
}

function knownPlaces(store: Store): RateLimiter {
  return rateLimiter(store, { name: 'sign-in known', most: 1, seconds: 30 * 86_400 });
}

function pairOf({ address, account }: SignInTry): string {
  return `${placeOf(address)} ${accountOf(account)}`;
}

function accountOf(account: string): string {
  return account.trim().normalize('NFKC').toLowerCase();
}

/** One client has a whole network of IPv6 addresses, so their first 64 bits count. */
export function placeOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
