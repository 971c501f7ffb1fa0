import { createHmac, timingSafeEqual } from 'node:crypto';
import type { HeaderReader } from '@/lib/server/access';
import { accountsKeys } from '@/lib/server/settings/process-env';
import { findSessionPerson, type SessionPerson } from '@/lib/store/auth-sessions';
import type { Store } from '@/lib/store/database';
import { cookiePrefix } from './cookie-names';

/** Longer cookies are none of ours, and are not hashed. */
const longestCookie = 300;
/** A browser sends several cookies of one name only if another program on this host has set some. */
const mostCookies = 20;

/**
 * Returns the person who sent a request, by the cookie of a session: one statement. `undefined` without a cookie that is signed with our
 * key, and for a session that has ended.
 */
export async function findSession(store: Store, headers: HeaderReader): Promise<SessionPerson | undefined> {
  for (const token of sessionTokens(headers)) {
    const person = await findSessionPerson(store, token);
    if (person !== undefined) return person;
  }
  return undefined;
}

/** Returns the tokens of signed session cookies. Nothing is asked of the database for others. */
export function sessionTokens(headers: HeaderReader): readonly string[] {
  const [key] = accountsKeys();
  const header = headers.get('cookie');
  if (key === undefined || header === null) return [];
  const name = `${cookiePrefix()}.session_token`;
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`) || pair.startsWith(`__Secure-${name}=`))
    .slice(0, mostCookies)
    .map((pair) => signedToken(pair.slice(pair.indexOf('=') + 1), key))
    .filter((token) => token !== undefined);
}

/** The value is `token.signature`, with an HMAC-SHA256 in base64, as better-auth writes it. */
function signedToken(value: string, key: string): string | undefined {
  if (value.length > longestCookie) return undefined;
  const text = decoded(value);
  const dot = text.lastIndexOf('.');
  if (dot < 1) return undefined;
  const token = text.slice(0, dot);
  const expected = createHmac('sha256', key).update(token).digest();
  const given = Buffer.from(text.slice(dot + 1), 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : undefined;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}
