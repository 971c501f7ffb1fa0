import { LRUCache } from 'lru-cache';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { clientAddress } from '@/lib/server/client-address';
import { placeOf } from '@/lib/server/limits/sign-in';
import { countTry, refuseKnown } from '@/lib/server/limits/tries';
import { systemStore } from '@/lib/server/services';
import { findTokenPerson, type TokenPerson } from '@/lib/store/api-tokens';
import { hashOfSecret, isTokenText, tokenStart } from './token-text';

interface Asked {
  readonly headers: { get(name: string): string | null };
}

/** Hashes of tokens that were right within the window of the limit. Each is looked up again all the same. */
const rightLately = new LRUCache<string, true>({ max: 10_000, ttl: 600_000 });

/** A longer header has no token in it, and is not searched. */
const longestHeader = 300;

/**
 * Returns the token that a request sends (`Authorization: Bearer`), which may be empty or no token at all, or `undefined` without one.
 * Other kinds of that header are for a proxy on the way. A token in an address is never read: addresses are kept in logs and histories.
 */
export function bearerOf({ headers }: Asked): string | undefined {
  const header = headers.get('authorization');
  if (header === null || !/^bearer(?:\s|$)/i.test(header)) return undefined;
  return header.slice(0, longestHeader).slice('bearer'.length).trim();
}

/**
 * Returns the person for whom a token speaks, with the rights of this moment, narrowed by the token. Throws AppError `not_signed_in` with
 * the reason: whoever has a token that was right may know what became of it; nothing is said of others. Throws `too_many` after many wrong
 * tokens from one address. They count after the look-up: nobody can guess a token, and the limit bounds the work of the database. A token
 * that was right lately is looked up all the same, so that one script with an old token does not stop the others of an office. A request
 * that is decided on `again` neither counts nor is refused by a limit.
 */
export async function actorOfToken(
  request: Asked,
  text: string,
  asked: 'counted' | 'again' = 'counted',
): Promise<Actor> {
  if (!isTokenText(text)) throw unknownToken(text.startsWith(tokenStart) ? 'mistyped' : 'no token');
  const address = placeOf(clientAddress(request));
  const hash = hashOfSecret(text);
  return await systemStore(async (store) => {
    if (asked === 'again') return rightOf(await findTokenPerson(store, hash));
    refuseKnown(store, 'token', hash);
    if (!rightLately.has(hash)) refuseKnown(store, 'wrong token', address);
    const person = await findTokenPerson(store, hash);
    if (person?.fault === null) {
      rightLately.set(hash, true);
      await countTry(store, 'token', hash);
      return actorOf(person);
    }
    rightLately.delete(hash);
    await countTry(store, 'wrong token', address);
    return rightOf(person);
  });
}

function rightOf(person: TokenPerson | undefined): Actor {
  if (person === undefined) throw unknownToken('unknown');
  if (person.fault !== null) throw new AppError('not_signed_in', faults[person.fault]);
  return actorOf(person);
}

function actorOf({ id, scopes, project, email, ...person }: TokenPerson): Actor {
  const { userId, name, isAdministrator, makesProjects, members } = person;
  const token = { id, scopes, project: project ?? undefined };
  const reach = { kind: 'person', userId, name, isAdministrator, makesProjects, members, token } as const;
  return { by: email, via: 'api', reach };
}

const faults = {
  revoked: 'This token was revoked. Make a new one in your account in the browser, or with callboard login.',
  expired: 'This token has expired. Make a new one in your account in the browser, or with callboard login.',
  deactivated: 'The person of this token may not use Callboard any more. Ask an administrator of this installation.',
} as const;

const unknown = {
  'no token': `This is no token of Callboard: one begins with ${tokenStart}. People make theirs in their account in the browser, or with callboard login.`,
  mistyped: 'This token is not complete, or has a wrong character. Copy it again.',
  unknown: 'This installation does not know this token. It may be of another one; people make theirs in their account.',
} as const;

function unknownToken(reason: keyof typeof unknown): AppError {
  return new AppError('not_signed_in', unknown[reason]);
}
