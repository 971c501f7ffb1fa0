import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Who is signed in: a script that sends the token (`Authorization: Bearer`), or a browser that sends the cookie it got for
 * the token. Browsers send a cookie to every port of a host, so its name has the port in it, and its value is not the token
 * itself: a program on another port that reads it cannot use it as a bearer token.
 */
export interface Access {
  /** True if the request carries the token or the cookie. */
  isSignedIn(headers: HeaderReader): boolean;
  /** True if `text` is the token. */
  isToken(text: string): boolean;
  /** The `Set-Cookie` header that signs a browser in. */
  readonly setCookie: string;
}

export interface HeaderReader {
  get(name: string): string | null;
}

/** Longer ones are no token of ours; they are not hashed. */
const longestSecret = 300;
/** A browser sends two of one name only when another program of this host has set one. */
const mostCookies = 20;
/** The longest that browsers keep a cookie: 400 days. */
const cookieSeconds = 34_560_000;

export function createAccess(token: string, port: number): Access {
  const name = cookieName(port);
  const value = cookieValue(token, port);
  const isToken = sameAs(token);
  const isCookie = sameAs(value);
  return {
    isToken,
    isSignedIn(headers) {
      const bearer = /^Bearer +(\S+) *$/i.exec(headers.get('authorization')?.slice(0, longestSecret) ?? '')?.[1];
      if (bearer !== undefined && isToken(bearer)) return true;
      return cookiesNamed(name, headers.get('cookie')).some(isCookie);
    },
    setCookie: `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${cookieSeconds}`,
  };
}

export function cookieName(port: number): string {
  return `callboard_${port}`;
}

export function cookieValue(token: string, port: number): string {
  return createHmac('sha256', token).update(`cookie of port ${port}`).digest('base64url');
}

/** Compares in constant time: hashes have one length, and tell nothing of where two texts differ. */
function sameAs(secret: string): (text: string) => boolean {
  const expected = digestOf(secret);
  return (text) => text.length <= longestSecret && timingSafeEqual(digestOf(text), expected);
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function cookiesNamed(name: string, header: string | null): readonly string[] {
  if (header === null) return [];
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .slice(0, mostCookies)
    .map((pair) => pair.slice(name.length + 1));
}
