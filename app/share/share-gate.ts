import { type PlainPage, plainResponse } from '@/app/plain-page';
import { AppError } from '@/lib/base/app-error';
import type { EpochMs } from '@/lib/base/ids';
import type { HeaderReader } from '@/lib/server/access';
import { cookiePrefix } from '@/lib/server/accounts/cookie-names';
import { findLink, type LinkState } from '@/lib/server/accounts/share-actor';
import { isBehindTls } from '@/lib/server/client-address';
import type { GuardedRequest } from '@/lib/server/request-guard';

/*
 * The way from a share link to its page:
 *
 *   /share/TOKEN            sets a cookie that is sent below the next address only, and leads there
 *   /share/run/ID           the page. Its address does not open the run for others: that needs the cookie
 *   /share/run/ID/api/…     what the page reads
 */

/** The headers of everything below /share: no other site, and no search engine, learns the address. */
export const shareHeaders = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' } as const;

const pagePath = /^\/share\/run\/([^/]+)$/;

/** True for the address of a page that shows a shared run. */
export function isSharePage(pathname: string): boolean {
  return pagePath.test(pathname);
}

/** Returns the path of the page of a link. */
export function sharedPath(id: string): string {
  return `/share/run/${id}`;
}

/** The cookie outlives the link, so that the page can say that the link has expired. */
const keptSeconds = 30 * 86_400;

/** Returns the cookie that opens the page of a link. */
export function shareCookie(
  request: GuardedRequest,
  { id, token, expiresAt }: { readonly id: string; readonly token: string; readonly expiresAt: EpochMs },
): string {
  const seconds = Math.max(1, Math.floor((expiresAt - Date.now()) / 1_000)) + keptSeconds;
  const secure = isBehindTls(request) ? '; Secure' : '';
  return `${cookieName(id)}=${token}; Path=${sharedPath(id)}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
}

/** Returns the token that the browser keeps for the page of a link, or `undefined`. */
export function shareTokenOf(headers: HeaderReader, id: string): string | undefined {
  if (!/^[\w-]{1,64}$/.test(id)) return undefined;
  const start = `${cookieName(id)}=`;
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
}

function cookieName(id: string): string {
  return `${cookiePrefix()}_share_${id}`;
}

/** Returns the answer in place of the page of a link that opens nothing, or `undefined` if the page may be shown. */
export async function serveShareGate(request: GuardedRequest, pathname: string): Promise<Response | undefined> {
  const id = pagePath.exec(pathname)?.[1] ?? '';
  if (request.method !== 'GET' && request.method !== 'HEAD') return notFoundPage();
  const token = shareTokenOf(request.headers, id);
  const state = await lookUp(request, token);
  if (state instanceof Response) return state;
  return typeof state !== 'string' && state.id === id ? undefined : gonePage(state === 'over' ? 'over' : 'unknown');
}

/** Returns what became of a link, or a page that says why it was not looked up. */
export async function lookUp(request: GuardedRequest, token: string | undefined): Promise<LinkState | Response> {
  try {
    return token === undefined ? 'unknown' : await findLink(request, token);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const status = error.code === 'too_many' ? 429 : 503;
    const { retryAfter = '2' } = error.details;
    return plainResponse(pageWith('Not now', error.message), status, {
      ...shareHeaders,
      'Retry-After': `${retryAfter}`,
    });
  }
}

/** Says that a link is over, or that there is none, and nothing else. */
export function gonePage(state: 'over' | 'unknown'): Response {
  if (state === 'unknown') return notFoundPage();
  const words = 'It has expired, or somebody has revoked it. Ask whoever sent it for a new one.';
  return plainResponse(pageWith('This link shows nothing any more', words), 410, shareHeaders);
}

function notFoundPage(): Response {
  const words =
    'The address may be cut, or this browser has not opened the link yet. Open the whole link that you were sent.';
  return plainResponse(pageWith('There is no such link', words), 404, shareHeaders);
}

/** The texts are constants and sentences of ours, without marks of HTML. */
function pageWith(title: string, words: string): PlainPage {
  return { title, main: `<h1>${title}</h1>\n<p>${words}</p>` };
}
