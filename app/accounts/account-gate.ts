import { originOf } from '@/lib/server/accounts/request-origin';
import { resolveSession } from '@/lib/server/accounts/resolve-actor';
import { type GuardedRequest, notSignedIn, securityHeaders } from '@/lib/server/request-guard';

/** Pages for people who are not signed in. Each decides for itself what it shows. */
const openPaths: readonly string[] = [
  '/invite',
  '/reset',
  '/setup',
  '/sign-in',
  '/sign-in/code',
  '/sign-in/passkey',
  '/sign-in/provider',
  '/sign-out',
];

/** Where people add a second factor. */
const ownPage = '/account';

/** True for an address whose route answers with a plain page, which brings its own policy for its own script. */
export function isPlainPage(pathname: string): boolean {
  return openPaths.includes(pathname) || pathname.startsWith('/oauth/');
}

/**
 * Where people have accounts: returns the answer in place of a page for somebody who is not signed in, which leads to the sign-in page and
 * from there back. `undefined` if the page may be shown.
 */
export async function serveAccountGate(request: GuardedRequest, address: URL): Promise<Response | undefined> {
  if (openPaths.includes(address.pathname)) return undefined;
  const session = await resolveSession(request.headers);
  const isGet = request.method === 'GET' || request.method === 'HEAD';
  if (session?.lacksSecondFactor === true && isGet && address.pathname !== ownPage) return leadTo(request, ownPage);
  if (session !== undefined) return undefined;
  if (!isGet) return notSignedIn();
  const query = new URLSearchParams(address.search);
  // Next adds it when it fetches a page.
  query.delete('_rsc');
  const to = query.size === 0 ? address.pathname : `${address.pathname}?${query}`;
  return leadTo(request, to === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(to)}`);
}

/** Redirects to a path of this app, with cookies. */
export function leadTo(
  request: Pick<GuardedRequest, 'headers'>,
  path: string,
  cookies: readonly string[] = [],
): Response {
  const headers = new Headers({ ...securityHeaders, 'Cache-Control': 'no-store' });
  headers.set('Location', `${originOf(request)}${path}`);
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return new Response(null, { status: 303, headers });
}

/** Returns a path of this app with its query. Any other text gives the first page. */
export function safePath(text: string | null): string {
  const base = 'http://callboard.invalid';
  if (text === null || !text.startsWith('/') || !URL.canParse(text, base)) return '/';
  const address = new URL(text, base);
  if (address.origin !== base || address.pathname.startsWith('//') || address.pathname.startsWith('/sign-')) return '/';
  return `${address.pathname}${address.search}`;
}
