import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Checks sign-in. Scripts send the token (`Authorization: Bearer`), browsers send a cookie that they got for the token.
 * Browsers send a cookie to every port of a host. So the name of the cookie contains the port, and its value is not the
 * token: a program on another port that reads the cookie cannot use it as a bearer token.
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

/** Longer values cannot be a token, and are not hashed. */
const longestSecret = 300;
/** A browser sends several cookies of one name only if another program on this host has set some. */
const mostCookies = 20;
/** 400 days, the longest time that browsers keep a cookie. */
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

/** Compares hashes in constant time, so that the time does not tell where two texts differ. */
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
