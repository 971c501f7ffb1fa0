import { plainResponse } from '@/app/plain-page';
import { isBehindTls } from '@/lib/server/client-address';
import { currentAccess } from '@/lib/server/current-access';
import { challenge, type GuardedRequest, isSignedIn, securityHeaders } from '@/lib/server/request-guard';
import { publicAddress } from '@/lib/server/settings/process-env';
import { type SignInProblem, signInPage } from './sign-in-page';

/**
 * Signs a browser in. The printed address carries the token (`/?token=…`, or any page's address with it). A person may also
 * paste the token into the form of the sign-in page. Both answer with a cookie and a redirect to an address without the
 * token, so that the token is in no history entry, bookmark, Referer or log.
 */

/** The address that the form is sent to. */
export const signInPath = '/sign-in';

/**
 * Returns the answer in place of a page: a redirect that signs in, or the sign-in page without a sign-in. Returns
 * `undefined` when the page itself may be shown.
 */
export function servePageAccess(request: GuardedRequest, address: URL): Response | undefined {
  const token = address.searchParams.get('token');
  if (token === null) {
    if (!isSignedIn(request)) return servePlainSignIn(pathOf(address), undefined);
    return address.pathname === signInPath ? leadTo(request, '/') : undefined;
  }
  const access = currentAccess();
  if (access !== undefined && access !== 'open' && access.isToken(token)) {
    return leadTo(request, pathOf(address), access.setCookie);
  }
  return isSignedIn(request) ? leadTo(request, pathOf(address)) : servePlainSignIn(pathOf(address), 'old address');
}

/** Answers the form. `text` is the token or the whole printed address, and `to` is the requested page. */
export function serveSignIn(request: GuardedRequest, text: string, to: string, nowMs: number): Response {
  const access = currentAccess();
  const path = ownPath(to);
  if (access === 'open') return leadTo(request, path);
  if (access?.isToken(tokenIn(text))) return leadTo(request, path, access.setCookie);
  // The right token is never refused, because otherwise anybody could lock its owner out.
  return attempts.isTooMany(nowMs) ? servePlainSignIn(path, 'too many', 429) : servePlainSignIn(path, 'wrong token');
}

/** Returns the sign-in page. If this process has no token, the page says so, because then no token can be right. */
export function servePlainSignIn(to: string, problem: SignInProblem | undefined, status: 401 | 429 = 401): Response {
  const shown = currentAccess() === undefined ? 'no token' : problem;
  const headers = status === 401 ? challenge : { 'Retry-After': '60' };
  return plainResponse(signInPage({ to, problem: shown, action: signInPath }), status, headers);
}

/** Returns a path of this app with its query, without a token. Any other text gives the first page. */
export function ownPath(text: string): string {
  const base = 'http://callboard.invalid';
  if (!text.startsWith('/') || !URL.canParse(text, base)) return '/';
  const address = new URL(text, base);
  return address.origin === base ? pathOf(address) : '/';
}

function pathOf(address: URL): string {
  const query = new URLSearchParams(address.search);
  query.delete('token');
  const path = address.pathname.replace(/^\/+/, '/');
  const to = query.size === 0 ? path : `${path}?${query}`;
  return path === signInPath ? '/' : to;
}

/** Finds the token in a pasted text, which may be the token alone or the whole printed line. */
function tokenIn(text: string): string {
  const trimmed = text.trim();
  return /[?&]token=([^&\s]+)/.exec(trimmed)?.[1] ?? trimmed;
}

/** Redirects to a path. The Host header has been checked: it is a name of this machine, or the public address. */
function leadTo(request: GuardedRequest, path: string, cookie?: string): Response {
  const headers = new Headers({ ...securityHeaders, 'Cache-Control': 'no-store' });
  const host = request.headers.get('host');
  const known = publicAddress();
  const isPublic = known !== undefined && host?.toLowerCase() === known.host;
  headers.set('Location', `${isPublic ? known.origin : `http://${host}`}${path}`);
  const secure = isBehindTls(request) ? '; Secure' : '';
  if (cookie !== undefined) headers.set('Set-Cookie', `${cookie}${secure}`);
  return new Response(null, { status: 303, headers });
}

const minuteMs = 60_000;
const mostFailures = 20;

/** Counts failed attempts of the last minute. A token cannot be guessed; the limit bounds the work that guessing causes. */
export const attempts = {
  failedAtMs: [] as number[],
  isTooMany(nowMs: number): boolean {
    this.failedAtMs = this.failedAtMs.filter((at) => nowMs - at < minuteMs);
    if (this.failedAtMs.length >= mostFailures) return true;
    this.failedAtMs.push(nowMs);
    return false;
  },
};
