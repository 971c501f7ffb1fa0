import { type NextRequest, NextResponse } from 'next/server';
import { isPlainPage, serveAccountGate } from '@/app/accounts/account-gate';
import { outagePage } from '@/app/outage-page';
import { isSharePage, serveShareGate, shareHeaders } from '@/app/share/share-gate';
import { servePageAccess, signInPath } from '@/app/sign-in/sign-in';
import { pagePolicy, securityHeaders, serveRequestGuard } from '@/lib/server/request-guard';
import { accountsAreOn } from '@/lib/server/settings/process-env';

/**
 * Guards every page: only a signed-in browser sees one. API routes, the receiver of traces and the three addresses of git guard themselves,
 * because Next buffers each body that comes by here (`lib/server/front/page-bodies.ts`). The app's built code and its logo are the same for
 * everybody and need no sign-in.
 */
export async function proxy(request: NextRequest): Promise<Response> {
  const { pathname } = request.nextUrl;
  const refusal = serveRequestGuard(request);
  if (refusal) return refusal;
  // The link itself is the right to answer its question.
  if (pathname.startsWith('/answer/')) return NextResponse.next();
  // A share link is the right to see its run. What its page reads guards itself.
  const isShared = isSharePage(pathname);
  if (pathname.startsWith('/share/') && !isShared) return NextResponse.next();
  const instead = isShared ? await serveShareGate(request, pathname) : await serveGate(request);
  if (instead) return instead;
  // A policy that is set here would replace that of the route, and its script would be refused.
  if (isPlainPage(pathname)) return NextResponse.next();

  const nonce = crypto.randomUUID().replaceAll('-', '');
  // biome-ignore lint/style/noProcessEnv: the build replaces it by a constant
  const policy = pagePolicy(nonce, process.env.NODE_ENV === 'development');
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  // Next reads the nonce for its own scripts from the request's policy.
  headers.set('Content-Security-Policy', policy);
  const response = NextResponse.next({ request: { headers } });
  for (const [name, value] of Object.entries(securityHeaders)) response.headers.set(name, value);
  response.headers.set('Content-Security-Policy', policy);
  for (const [name, value] of Object.entries(isShared ? shareHeaders : {})) response.headers.set(name, value);
  return response;
}

/** Works like `serveSignIn`. While the database is away it answers with a page that says so; an action says it in its own answer. */
async function serveGate(request: NextRequest): Promise<Response | undefined> {
  try {
    return await serveSignIn(request);
  } catch (error) {
    const outage = outagePage(error, request.method);
    if (outage === undefined) throw error;
    return request.method === 'POST' ? undefined : outage;
  }
}

/** Returns the answer in place of a page for somebody who is not signed in, or `undefined`. */
async function serveSignIn(request: NextRequest): Promise<Response | undefined> {
  if (accountsAreOn()) return await serveAccountGate(request, request.nextUrl);
  const isForm = request.nextUrl.pathname === signInPath && request.method === 'POST';
  return isForm ? undefined : servePageAccess(request, request.nextUrl);
}

export const config = {
  matcher: [
    '/((?!api/|git/[^/]+/(?:info/refs|git-upload-pack|git-receive-pack)$|v1/(?:traces|logs|metrics)$|_next/static/|icon.svg$|logo.svg$).*)',
  ],
};
