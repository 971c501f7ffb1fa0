import { currentAccess } from './current-access';

/**
 * Callboard listens on loopback, so a request must come from this machine's own pages or tools. Two things in the browser
 * could send others: a name that resolves to 127.0.0.1 (DNS rebinding) shows in `Host`, another
 * site's page shows in `Origin` and `Sec-Fetch-Site`. Tools (curl) send neither of the last two and are let through.
 */
export interface GuardedRequest {
  readonly method: string;
  readonly headers: { get(name: string): string | null };
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** Why a request is refused, as a sentence; undefined when it is ours. */
export function refuseRequest(request: GuardedRequest, port: number): string | undefined {
  const ours = loopbackNames.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
  const host = request.headers.get('host')?.toLowerCase();
  if (host === undefined || !ours.includes(host)) {
    return `Callboard answers only at http://localhost:${port}. Open that address.`;
  }
  const origin = request.headers.get('origin')?.toLowerCase();
  if (origin !== undefined && !ours.some((name) => origin === `http://${name}`)) {
    return 'A page of another site may not use Callboard.';
  }
  const site = request.headers.get('sec-fetch-site');
  const foreign = site === 'cross-site' || site === 'same-site';
  // A link on another page may open ours; nothing else of it may reach us.
  const opensPage = request.method === 'GET' && request.headers.get('sec-fetch-mode') === 'navigate';
  if (foreign && !opensPage) return 'A page of another site may not use Callboard.';
  return undefined;
}

/**
 * The 403 or 401 for a request that may not use Callboard, undefined for one that may. Every API route asks this before
 * anything else, but for those that are open to everybody on this machine: they ask `serveRequestGuard` alone.
 */
export function serveGuard(request: GuardedRequest): Response | undefined {
  return serveRequestGuard(request) ?? serveAccessGuard(request);
}

/** The same as a code and a sentence, for a server action. */
export function whyRefused(request: GuardedRequest): { readonly code: string; readonly message: string } | undefined {
  const foreign = refuseRequest(request, Number(process.env.PORT) || 3000);
  if (foreign !== undefined) return { code: 'not_allowed', message: foreign };
  return isSignedIn(request) ? undefined : { code: 'not_signed_in', message: notSignedIn };
}

const notSignedIn =
  'Sign in first: open the address that npm start printed. A script sends the header "Authorization: Bearer TOKEN"; ' +
  'npx callboard token prints the token.';

/** True if the request is signed in, or nobody need be. */
export function isSignedIn(request: GuardedRequest): boolean {
  const access = currentAccess();
  return access === 'open' || access?.isSignedIn(request.headers) === true;
}

/** On every 401: what a script sends. Browsers show no dialog of their own for it. */
export const challenge = { 'WWW-Authenticate': 'Bearer realm="Callboard"' } as const;

function serveAccessGuard(request: GuardedRequest): Response | undefined {
  if (isSignedIn(request)) return undefined;
  const headers = { ...securityHeaders, ...challenge, 'Cache-Control': 'no-store' };
  return Response.json({ error: { code: 'not_signed_in', message: notSignedIn } }, { status: 401, headers });
}

/** The 403 for a request that is not ours, undefined for one that is. Every page and every route asks this first. */
export function serveRequestGuard(request: GuardedRequest): Response | undefined {
  const message = refuseRequest(request, Number(process.env.PORT) || 3000);
  if (message === undefined) return undefined;
  return Response.json({ error: { code: 'not_allowed', message } }, { status: 403, headers: securityHeaders });
}

/**
 * The 400 for an address with a `%` that stands for no character, undefined for any other. Asked before the address is
 * taken apart: Next answers such a one with a 500 of its own.
 */
export function serveAddressGuard(pathname: string): Response | undefined {
  try {
    decodeURIComponent(pathname);
    return undefined;
  } catch {
    const message = `The address ${pathname.slice(0, 200)} has a "%" that stands for no character. Write a plain % as %25.`;
    return Response.json({ error: { code: 'bad_request', message } }, { status: 400, headers: securityHeaders });
  }
}

/** On every answer. Pages add a policy of their own with a nonce. */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/**
 * What a page may load: this host only. Scripts need the nonce or come from our own files; styles may be inline, since
 * the canvas and the code editor set them. Development needs `eval` and a web socket.
 */
export function pagePolicy(nonce: string, development: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${development ? " 'unsafe-eval'" : ''}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self'${development ? ' ws:' : ''}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
