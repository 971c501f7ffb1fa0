import { AppError } from '@/lib/base/app-error';
import { isRecord, parseJson } from '@/lib/base/json';
import { clientAddress } from '@/lib/server/client-address';
import { oidcProvider } from '@/lib/server/settings/oidc-settings';
import type { Store } from '@/lib/store/database';
import { cookiePrefix } from './cookie-names';
import { findSession } from './session';
import { authOf, recordSignIn, type SignInRequest } from './sign-in';

/**
 * Begins a sign-in with the provider. Returns its address, and the cookies that bind the way back to this browser. Throws AppError
 * `unavailable` while the provider cannot be reached; the next try asks again.
 */
export async function startProviderSignIn(
  store: Store,
  request: SignInRequest,
  to: string,
): Promise<{ readonly url: string; readonly cookies: readonly string[] }> {
  const body = { provider: oidcProvider, callbackURL: to, errorCallbackURL: '/sign-in', disableRedirect: true };
  const response = await authOf(store, request).api.signInSocial({ body, headers: request.headers, asResponse: true });
  const answer = parseJson(await response.text());
  if (!response.ok || !isRecord(answer) || typeof answer.url !== 'string') {
    throw new AppError('not_found', 'The provider of sign-ins cannot be reached now. Try again in a moment.');
  }
  return { url: answer.url, cookies: response.headers.getSetCookie() };
}

/** Answers the way back from the provider: a redirect with a session, or to the sign-in page with what went wrong. */
export async function finishProviderSignIn(store: Store, request: Request): Promise<Response> {
  const response = await authOf(store, request).handler(request);
  const name = `${cookiePrefix()}.session_token=`;
  const cookie = response.headers.getSetCookie().find((each) => each.replace('__Secure-', '').startsWith(name));
  if (cookie !== undefined) {
    const headers = new Headers({ cookie: cookie.split(';')[0] ?? '' });
    const person = await findSession(store, headers);
    if (person !== undefined) {
      await recordSignIn(store, person.email, { way: 'provider', address: clientAddress(request) });
    }
  }
  return response;
}
