import { currentAccess } from './current-access';
import { accountsAreOn, appPort, namesOfThisMachine, publicAddress } from './settings/process-env';

/**
 * Requests must come from Callboard's own pages or from tools of this machine. Where an operator has set the public address, they
 * may come to that address, through a reverse proxy that passes its Host header on. A browser could send
 * two other kinds: to a name that resolves to 127.0.0.1 (DNS rebinding), visible in `Host`; or from a page of another site,
 * visible in `Origin` and `Sec-Fetch-Site`. Tools (curl) send neither of these two headers and are accepted.
 */
export interface GuardedRequest {
  readonly method: string;
  readonly headers: { get(name: string): string | null };
}

/** Returns the reason to refuse a request, as a sentence, or `undefined` when it is accepted. */
export function refuseRequest(
  request: GuardedRequest,
  port: number,
  open: Pick<URL, 'host' | 'origin'> | undefined = publicAddress(),
): string | undefined {
  const ours = namesOfThisMachine().flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
  const host = request.headers.get('host')?.toLowerCase();
  if (host === undefined || !(ours.includes(host) || host === open?.host)) {
    return `Callboard answers only at ${open?.origin ?? `http://localhost:${port}`}. Open that address.`;
  }
  const origin = request.headers.get('origin')?.toLowerCase();
  const isOurs = origin === open?.origin || ours.some((name) => origin === `http://${name}`);
  if (origin !== undefined && !isOurs) {
    return 'A page of another site may not use Callboard.';
  }
  const site = request.headers.get('sec-fetch-site');
  const foreign = site === 'cross-site' || site === 'same-site';
  // A link on a page of another site may open a page. Every other request from such a page is refused.
  const opensPage = request.method === 'GET' && request.headers.get('sec-fetch-mode') === 'navigate';
  if (foreign && !opensPage) return 'A page of another site may not use Callboard.';
  return undefined;
}

const notSignedInSentence =
  'Sign in first: open the address that npm start printed. A script sends the header "Authorization: Bearer TOKEN"; ' +
  'npx callboard token prints the token.';

/** True if the request is signed in, or sign-in is switched off. */
export function isSignedIn(request: GuardedRequest): boolean {
  const access = currentAccess();
  return access === 'open' || access?.isSignedIn(request.headers) === true;
}

/** The header of every 401. It tells scripts to send a bearer token, and browsers show no dialog for this scheme. */
export const challenge = { 'WWW-Authenticate': 'Bearer realm="Callboard"' } as const;

const noAccountSentence =
  'Sign in first, in a browser. A script sends a personal token in the header "Authorization: Bearer cb_…"; people make ' +
  'theirs in their account, and npx callboard login gets one for commands.';

/** Why nothing is done for nobody: a code and a sentence. */
export function signInFirst() {
  return { code: 'not_signed_in', message: accountsAreOn() ? noAccountSentence : notSignedInSentence } as const;
}

/** Returns the 401 response for a request without a sign-in. */
export function notSignedIn(): Response {
  const headers = { ...securityHeaders, ...challenge, 'Cache-Control': 'no-store' };
  return Response.json({ error: signInFirst() }, { status: 401, headers });
}

/** Returns the 403 response for a request of another origin, otherwise `undefined`. Every page and route calls this first. */
export function serveRequestGuard(request: GuardedRequest): Response | undefined {
  const message = refuseRequest(request, appPort());
  if (message === undefined) return undefined;
  return Response.json({ error: { code: 'not_allowed', message } }, { status: 403, headers: securityHeaders });
}

/**
 * Returns why a path with an invalid `%` escape is refused, otherwise `undefined`. It is called before Next parses the path, because Next
 * answers an invalid escape with a 500.
 */
export function refuseAddress(pathname: string): string | undefined {
  try {
    decodeURIComponent(pathname);
    return undefined;
  } catch {
    return `The address ${pathname.slice(0, 200)} has a "%" that is not part of a character. Write a plain % as %25.`;
  }
}

/** The headers of every response. Pages add a Content-Security-Policy with a nonce. */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // No page uses these parts of a machine, so no script that slips in gets to ask for them.
  'Permissions-Policy':
    'camera=(), display-capture=(), geolocation=(), hid=(), microphone=(), midi=(), payment=(), serial=(), usb=()',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/**
 * Returns the Content-Security-Policy of a page. The page may load from this host only. Scripts need the nonce or come from
 * the app's own files. Inline styles are allowed, because the canvas and the code editor set them (docs/security.md#headers).
 * Development needs `eval` and a web socket.
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
