import { createHash } from 'node:crypto';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { betterAuth } from 'better-auth/minimal';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { z } from 'zod';
import { longestPassword, shortestPassword } from '@/lib/base/account-rules';
import { AppError } from '@/lib/base/app-error';
import { displayName } from '@/lib/base/display-name';
import { clientHeader } from '@/lib/server/client-address';
import { type OidcSettings, oidcProvider } from '@/lib/server/settings/oidc-settings';
import { accountsKeys } from '@/lib/server/settings/process-env';
import type { Store } from '@/lib/store/database';
import { identityId } from '@/lib/store/provider-identities';
import { acceptOpenInvitations } from './accept-invitation';
import { cookiePrefix } from './cookie-names';
import { hashPassword, isPassword } from './password-hash';
import { isVerifiedAddress, subjectOf } from './provider-claims';
import { recordIdentity, refuseProviderPerson } from './provider-people';

/*
 * better-auth does the sign-in with password, provider and second factor, and writes sessions and their cookies. Its own routes are not
 * served: ../../../app/sign-in and ./own-paths call what is needed. Nobody signs up: people are made by a set-up link or an invitation, in
 * transactions of ours. Reading a session is ours too (./session), because every request does it.
 */

export type Auth = ReturnType<typeof makeAuth>;

/** Days after which a browser has to sign in again. */
export const sessionDays = 30;

/** The path of better-auth's routes. A provider sends browsers back to `/callback/oidc` below it. */
export const authPath = '/api/auth';

export interface AuthOptions {
  readonly store: Store;
  /** Where the browser is: `https://callboard.example.org`. It decides about links, and whether cookies are `Secure`. */
  readonly origin: string;
  readonly oidc: OidcSettings | undefined;
}

interface Made extends AuthOptions {
  readonly auth: Auth;
}

const holder: { callboardAuth?: Map<string, Made> } = globalThis as never;

/** Returns the instance for an origin. There are few: the names of this machine, and the public address. */
export function authFor(options: AuthOptions): Auth {
  holder.callboardAuth ??= new Map();
  const known = holder.callboardAuth.get(options.origin);
  if (known !== undefined && known.store === options.store) return known.auth;
  const auth = makeAuth(options);
  holder.callboardAuth.set(options.origin, { ...options, auth });
  return auth;
}

function makeAuth({ store, origin, oidc }: AuthOptions) {
  return betterAuth({
    appName: 'Callboard',
    baseURL: origin,
    basePath: authPath,
    secrets: versionedKeys(),
    trustedOrigins: [origin],
    database: prismaAdapter(store.prisma, { provider: 'postgresql' }),
    user: {
      modelName: 'authUser',
      validateUserInfo: async ({ user, source }) => {
        if (oidc === undefined || source.method !== 'oauth') return { error: 'not_invited' };
        const { id, email = '', emailVerified = false } = user;
        const refusal = await refuseProviderPerson(store, oidc, source.action, { id, email, emailVerified });
        return refusal === undefined ? undefined : { error: refusal };
      },
    },
    session: { modelName: 'authSession', expiresIn: sessionDays * 24 * 3_600, disableSessionRefresh: true },
    account: {
      modelName: 'authAccount',
      // validateUserInfo above decides about addresses that a provider did not verify.
      accountLinking: { enabled: true, trustedProviders: [oidcProvider] },
    },
    verification: { modelName: 'authVerification' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: shortestPassword,
      maxPasswordLength: longestPassword,
      password: { hash: hashPassword, verify: ({ hash, password }) => isPassword(password, hash) },
    },
    plugins: [
      twoFactor({
        issuer: 'Callboard',
        schema: { twoFactor: { modelName: 'authTwoFactor' } },
        allowPasswordless: true,
      }),
      genericOAuth({ config: oidc === undefined ? [] : [providerConfig(oidc)] }),
      openSessionPlugin,
    ],
    databaseHooks: {
      session: { create: { before: async ({ userId }) => await mayHaveSession(store, userId) } },
      // A provider says who somebody is. Its tokens are of no use afterwards, so none is kept.
      account: {
        create: {
          before: async (account) => ({
            data: { ...account, ...noTokens, id: identityId(account.providerId, account.userId) },
          }),
          after: async ({ userId }) => await recordIdentity(store, userId),
        },
        update: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
      },
      // Only a provider makes people here.
      user: {
        create: {
          before: async (user) => ({ data: { ...user, name: displayName.catch(user.email).parse(user.name) } }),
          after: async ({ id, email }) => await acceptOpenInvitations(store, { id, email }),
        },
      },
    },
    advanced: {
      cookiePrefix: cookiePrefix(),
      useSecureCookies: origin.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/' },
      ipAddress: { ipAddressHeaders: [clientHeader] },
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
    // Limits are ours: ../limits.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    onAPIError: { errorURL: `${origin}/sign-in` },
  });
}

const noTokens = { accessToken: null, refreshToken: null, idToken: null };

/** The present key signs and encrypts; what a former one has encrypted still opens. */
function versionedKeys(): { version: number; value: string }[] {
  const keys = accountsKeys();
  if (keys.length === 0) {
    throw new AppError('unavailable', 'This process has no key for accounts. Start Callboard with npm start.');
  }
  return keys.map((value) => ({ version: createHash('sha256').update(value).digest().readUInt32BE(), value }));
}

async function mayHaveSession(store: Store, user: string): Promise<boolean> {
  const { rowCount } = await store.pool.query('SELECT 1 FROM auth_user WHERE id = $1 AND "deactivatedAt" IS NULL', [
    user,
  ]);
  return rowCount === 1;
}

function providerConfig(oidc: OidcSettings) {
  return {
    providerId: oidcProvider,
    discoveryUrl: `${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    clientId: oidc.clientId,
    clientSecret: oidc.clientSecret,
    scopes: ['openid', 'email', 'profile'],
    pkce: true,
    requireIdTokenVerification: true,
    disableProviderLogout: true,
    accountSubject: ({ tokens }: { readonly tokens: { readonly idToken?: string | undefined } }) =>
      subjectOf(tokens.idToken, oidc.clientId, Date.now() / 1_000),
    mapProfileToUser: (profile: Readonly<Record<string, unknown>>) => ({ emailVerified: isVerifiedAddress(profile) }),
  };
}

/** Signs in a person whom other code has recognised: by a passkey, or because the person has just chosen a password. It has no address. */
const openSessionPlugin = {
  id: 'callboard-session',
  endpoints: {
    openSession: createAuthEndpoint({ method: 'POST', body: z.object({ userId: z.string() }) }, async (context) => {
      const { internalAdapter } = context.context;
      const user = await internalAdapter.findUserById(context.body.userId);
      const session = user === null ? null : await internalAdapter.createSession(user.id);
      if (user === null || session === null) throw new APIError('UNAUTHORIZED', { message: 'No such person' });
      await setSessionCookie(context, { session, user });
      return context.json({ sessionId: session.id });
    }),
    /** Returns whom the cookie between password and code belongs to, so that tries can be counted by person. */
    pendingPerson: createAuthEndpoint({ method: 'POST' }, async (context) => {
      const { createAuthCookie, internalAdapter, secret } = context.context;
      const identifier = await context.getSignedCookie(createAuthCookie('two_factor').name, secret);
      const found = identifier ? await internalAdapter.findVerificationValue(identifier) : null;
      return context.json({ userId: found !== null && found.expiresAt > new Date() ? found.value : undefined });
    }),
  },
} as const;
