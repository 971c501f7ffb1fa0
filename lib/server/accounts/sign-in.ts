import { longestPassword, whyNotEmail } from '@/lib/base/account-rules';
import { AppError } from '@/lib/base/app-error';
import { isRecord, parseJson } from '@/lib/base/json';
import type { HeaderReader } from '@/lib/server/access';
import { clientAddress } from '@/lib/server/client-address';
import { afterSignIn, beforeSignIn, isKnownPlace, withdrawSignIn } from '@/lib/server/limits/sign-in';
import { countTry, forgetTries } from '@/lib/server/limits/tries';
import { webEnv } from '@/lib/server/settings/web-env';
import { appendAudit } from '@/lib/store/audit';
import type { Store } from '@/lib/store/database';
import { findPerson, passwordHashOf, readPasswordHash, replacePasswordHash } from '@/lib/store/people';
import { claimCode } from '@/lib/store/second-factors';
import { type Auth, authFor } from './auth';
import { cookiePrefix } from './cookie-names';
import { recordFailedSignIn } from './failed-sign-ins';
import { hashPassword, isOutdated, isPassword } from './password-hash';
import { takeTurn } from './password-turns';
import { originOf } from './request-origin';
import { findSession, sessionTokens } from './session';

/** What asks to sign in. The request guard has accepted it. */
export interface SignInRequest {
  readonly headers: Headers;
  /** Aborts when the client hangs up. */
  readonly signal?: AbortSignal | undefined;
}

/** `code`: the second factor is still asked for. `cookies` are values of Set-Cookie headers. */
export interface SignedIn {
  readonly next: 'done' | 'code';
  readonly cookies: readonly string[];
}

/** The ways to sign in, as the audit log names them. */
export type SignInWay = 'password' | 'code' | 'backup' | 'passkey' | 'provider' | 'invitation';

const notRight = 'The e-mail address or the password is not right.';

/** Returns better-auth for the origin of a request. */
export function authOf(store: Store, request: { readonly headers: HeaderReader }): Auth {
  return authFor({ store, origin: originOf(request), oidc: webEnv().oidc });
}

/**
 * Signs in with a password. Throws AppError `not_allowed` with the same sentence, after the same work, for an unknown address, a wrong
 * password and a deactivated account, and `too_many` after many tries or while many wait.
 */
export async function signInWithPassword(
  store: Store,
  request: SignInRequest,
  given: { readonly email: string; readonly password: string },
): Promise<SignedIn> {
  const email = given.email.trim().toLowerCase();
  const address = clientAddress(request);
  // A longer text is no password, and better-auth would refuse it before any work.
  const password = given.password.slice(0, longestPassword);
  const attempt = { address, account: email };
  await beforeSignIn(store, attempt);
  const comer = { isKnown: await isKnownPlace(store, attempt), account: email, signal: request.signal };
  const response = await takeTurn(comer, () => checkPassword(store, request, email, password)).catch(
    async (error: unknown) => {
      // Nobody guesses by tries that are not checked. Whoever hangs up might.
      if (error instanceof AppError && request.signal?.aborted !== true) await withdrawSignIn(store, attempt);
      throw error;
    },
  );
  if (!response.ok) {
    if (response.status >= 500) throw new Error(`better-auth answered ${response.status}`);
    await recordFailedSignIn(store, request, { email, way: 'password' }, Date.now());
    throw new AppError('not_allowed', notRight);
  }
  await afterSignIn(store, attempt);
  const cookies = response.headers.getSetCookie();
  const body = parseJson(await response.text());
  if (isRecord(body) && body.twoFactorRedirect === true) return { next: 'code', cookies };
  await recordSignIn(store, email, { way: 'password', address });
  void renewHash(store, email, password).catch(() => undefined);
  return { next: 'done', cookies };
}

/** Lets better-auth check a password and make a session. A password that was changed meanwhile signs nobody in. */
async function checkPassword(store: Store, request: SignInRequest, email: string, password: string): Promise<Response> {
  const before = await passwordHashOf(store, email);
  const response = await authOf(store, request).api.signInEmail({
    // A text that is no address must not be answered sooner than one that is unknown.
    body: { email: whyNotEmail(email) === undefined ? email : 'nobody@callboard.invalid', password },
    headers: request.headers,
    asResponse: true,
  });
  // A new password ends the sessions that are there, and the check takes most of a second: this session may have come after that.
  if (!response.ok) return response;
  const now = await passwordHashOf(store, email);
  // The same password may have been hashed anew, by a sign-in just before.
  if (now === before || (now !== undefined && (await isPassword(password, now)))) return response;
  const cookie = response.headers.getSetCookie().map((each) => each.split(';')[0]);
  await endSessions(store, new Headers({ cookie: cookie.join('; ') }));
  return new Response(null, { status: 401 });
}

/** Ends a sign-in with a code of the second factor, or with a backup code. Throws AppError `not_allowed` with what to do. */
export async function signInWithCode(store: Store, request: SignInRequest, given: string): Promise<SignedIn> {
  const typed = given.replace(/\s/g, '').toLowerCase();
  const way = /^\d{6}$/.test(typed) ? 'code' : 'backup';
  const code = typed.replace(/^(\w{5})(\w{5})$/, '$1-$2');
  const { api } = authOf(store, request);
  const headers = withoutSession(request.headers);
  const { userId } = await api.pendingPerson({ headers });
  const person = userId === undefined ? undefined : await findPerson(store, { id: userId });
  if (person === undefined) throw new AppError('not_allowed', codeSentence('INVALID_TWO_FACTOR_COOKIE'));
  if (person.deactivatedAt !== null) throw deactivated();
  await countTry(store, 'second factor', person.id);
  if (way === 'code' && !(await claimCode(store, person.id, code))) {
    await recordFailedSignIn(store, request, { email: person.email, way }, Date.now());
    throw new AppError('not_allowed', codeSentence('USED'));
  }
  const call = { body: { code }, headers, asResponse: true } as const;
  const response = way === 'code' ? await api.verifyTOTP(call) : await api.verifyBackupCode(call);
  const body = parseJson(await response.text());
  if (!response.ok) {
    if (response.status >= 500) throw new Error(`better-auth answered ${response.status}`);
    await recordFailedSignIn(store, request, { email: person.email, way }, Date.now());
    throw new AppError('not_allowed', codeSentence(isRecord(body) ? body.code : undefined));
  }
  await forgetTries(store, 'second factor', person.id);
  await recordSignIn(store, person.email, { way, address: clientAddress(request) });
  return { next: 'done', cookies: response.headers.getSetCookie() };
}

function codeSentence(code: unknown): string {
  switch (code) {
    case 'INVALID_TWO_FACTOR_COOKIE':
    case 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE':
      return 'This sign-in took too long, or too many codes were wrong. Sign in again with your password.';
    case 'ACCOUNT_TEMPORARILY_LOCKED':
      return 'Too many codes were wrong. Wait a quarter of an hour, or ask an administrator for a link.';
    default:
      return 'This code is not right, or it was used already. Codes of the app change every 30 seconds.';
  }
}

/** Signs in somebody who was recognised in another way. Throws AppError `not_allowed` for a deactivated person. */
export async function openSession(
  store: Store,
  request: SignInRequest,
  userId: string,
  way: SignInWay,
): Promise<SignedIn> {
  const person = await findPerson(store, { id: userId });
  if (person === undefined || person.deactivatedAt !== null) {
    throw deactivated();
  }
  const { headers } = request;
  const response = await authOf(store, request).api.openSession({ body: { userId }, headers, asResponse: true });
  if (!response.ok) throw new Error(`better-auth answered ${response.status}`);
  await recordSignIn(store, person.email, { way, address: clientAddress(request) });
  return { next: 'done', cookies: response.headers.getSetCookie() };
}

function deactivated(): AppError {
  return new AppError('not_allowed', 'This account is deactivated. Ask an administrator.');
}

/** better-auth would check the code of whoever is signed in already, in place of the person who signs in. */
function withoutSession(headers: Headers): Headers {
  const name = `${cookiePrefix()}.session_token=`;
  const kept = (headers.get('cookie') ?? '')
    .split(';')
    .filter((pair) => !pair.trim().replace('__Secure-', '').startsWith(name));
  const rest = new Headers(headers);
  rest.set('cookie', kept.join(';'));
  return rest;
}

/** Ends the session of a request. Returns the cookies that clear the browser's. */
export async function signOut(store: Store, request: SignInRequest): Promise<readonly string[]> {
  const session = await findSession(store, request.headers);
  const { headers } = request;
  const response = await authOf(store, request).api.signOut({ headers, body: {}, asResponse: true });
  // A session that better-auth cannot see, such as a second one of this name, ends too.
  await endSessions(store, headers);
  if (session !== undefined) {
    const actor = { by: session.email, via: 'web' };
    await appendAudit(store.pool, { actor, action: 'person.signed_out', object: session.email });
  }
  return response.headers.getSetCookie();
}

async function endSessions(store: Store, headers: Headers): Promise<void> {
  const tokens = sessionTokens(headers);
  if (tokens.length > 0) await store.pool.query('DELETE FROM auth_session WHERE token = ANY($1)', [tokens]);
}

/** Records a sign-in. */
export async function recordSignIn(
  store: Store,
  email: string,
  { way, address }: { readonly way: SignInWay; readonly address: string },
): Promise<void> {
  const actor = { by: email, via: 'web' };
  await appendAudit(store.pool, { actor, action: 'person.signed_in', object: email, body: { with: way, address } });
}

/** Replaces a hash that was made with weaker parameters, now that the password is at hand. */
async function renewHash(store: Store, email: string, password: string): Promise<void> {
  const person = await findPerson(store, { email });
  const stored = person === undefined ? undefined : await readPasswordHash(store, person.id);
  if (person === undefined || stored === undefined || !isOutdated(stored)) return;
  const hash = await hashPassword(password);
  await replacePasswordHash(store, person.id, { from: stored, to: hash });
}
