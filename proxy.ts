import { type NextRequest, NextResponse } from 'next/server';
import { serveAccountGate } from '@/app/accounts/account-gate';
import { servePageAccess, signInPath } from '@/app/sign-in/sign-in';
import { pagePolicy, securityHeaders, serveAddressGuard, serveRequestGuard } from '@/lib/server/request-guard';
import { accountsAreOn } from '@/lib/server/settings/process-env';

/**
 * Guards every page: only a signed-in browser sees one. API routes, the receiver of traces and the three addresses of git guard themselves:
 * their bodies must not be buffered here. Only an API address with a `%` comes by, since one that cannot be read never reaches a route. The
 * app's built code and its logo are the same for everybody and need no sign-in.
 */
export async function proxy(request: NextRequest): Promise<Response> {
  const { pathname } = request.nextUrl;
  const refusal = serveRequestGuard(request) ?? serveAddressGuard(pathname);
  if (refusal) return refusal;
  if (pathname.startsWith('/api/')) return NextResponse.next();
  // The link itself is the right to answer its question.
  if (pathname.startsWith('/answer/')) return NextResponse.next();
  const isForm = pathname === signInPath && request.method === 'POST';
  const instead = accountsAreOn()
    ? await serveAccountGate(request, request.nextUrl)
    : isForm
      ? undefined
      : servePageAccess(request, request.nextUrl);
  if (instead) return instead;

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
  return response;
}

export const config = {
  matcher: [
    '/((?!api/|git/[^/]+/(?:info/refs|git-upload-pack|git-receive-pack)$|v1/traces$|_next/static/|icon.svg$|logo.svg$).*)',
    '/api/(.*%.*)',
  ],
};
