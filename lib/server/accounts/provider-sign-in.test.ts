import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { findAudit } from '@/lib/store/audit';
import { insertInvitation, openInvitationsOf } from '@/lib/store/invitations';
import { findPerson } from '@/lib/store/people';
import { transaction } from '@/lib/store/transaction';
import { browserRequest, makePerson, testPassword, withAccounts } from '@/lib/testing/accounts';
import { oidcProvider, type ProviderLogin } from '@/lib/testing/oidc-provider';
import { testDatabase } from '@/lib/testing/postgres';
import { unlinkOwnProvider } from './own-account';
import { unlinkProvider } from './people';
import { providerSentence } from './provider-people';
import { finishProviderSignIn, startProviderSignIn } from './provider-sign-in';
import { resolveActor } from './resolve-actor';
import { findSession } from './session';
import { signInWithPassword } from './sign-in';

withAccounts();
const { url, store } = await testDatabase();
const provider = await oidcProvider();

beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_OIDC_ISSUER', provider.issuer);
  vi.stubEnv('CALLBOARD_OIDC_CLIENT_ID', provider.clientId);
  vi.stubEnv('CALLBOARD_OIDC_CLIENT_SECRET', provider.clientSecret);
});
afterAll(() => provider.stop());

const begin = async () => await startProviderSignIn(store, browserRequest(), '/runs?at=5');

/** Follows the way back. Returns who is signed in and where the browser is led, or the sentence of the sign-in page. */
async function comeBack(back: string, cookies: readonly string[]): Promise<string> {
  const { pathname, search } = new URL(back);
  const response = await finishProviderSignIn(store, browserRequest(cookies, `${pathname}${search}`));
  const to = new URL(response.headers.get('location') ?? '', 'http://127.0.0.1:3000');
  const session = await findSession(store, browserRequest(response.headers.getSetCookie()).headers);
  if (session !== undefined) return `${session.email} ${to.pathname}${to.search}`;
  expect(to.pathname).toBe('/sign-in');
  return providerSentence(to.searchParams.get('error') ?? '');
}

async function signIn(login: ProviderLogin): Promise<string> {
  const { url, cookies } = await begin();
  return await comeBack(provider.logIn(url, login), cookies);
}

async function invite(email: string): Promise<void> {
  const rest = {
    project: null,
    role: null,
    answers: false,
    administrator: false,
    invitedBy: 'ada@example.org',
    days: 7,
  };
  await transaction(store, (connection) => insertInvitation(connection, { id: randomUUID(), email, ...rest }));
}

it('a provider that is down at the start comes back by itself, again and again', async () => {
  await makePerson(store, 'early@oidc.example');
  await expect(begin()).rejects.toThrow('The provider of sign-ins cannot be reached now. Try again in a moment.');
  await expect(begin()).rejects.toThrow('cannot be reached');
  await provider.start();
  expect(await signIn({ sub: 'early', email: 'early@oidc.example' })).toBe('early@oidc.example /runs?at=5');
  const { url, cookies } = await begin();
  await provider.stop();
  expect(await comeBack(provider.logIn(url, { sub: 'early', email: 'early@oidc.example' }), cookies)).toMatch(
    /Try again/,
  );
  await provider.start();
  expect(await signIn({ sub: 'early', email: 'early@oidc.example' })).toBe('early@oidc.example /runs?at=5');
});

it('an unknown person is refused with a sentence, and an invited one is let in and known from then on', async () => {
  const sentence = await signIn({ sub: 'new', email: 'new@oidc.example' });
  expect(sentence).toMatch(/^You have no account here\. Ask an administrator to invite/);
  expect(await findPerson(store, { email: 'new@oidc.example' })).toBeUndefined();
  await invite('new@oidc.example');
  expect(await signIn({ sub: 'new', email: 'New@OIDC.example' })).toBe('new@oidc.example /runs?at=5');
  expect(await openInvitationsOf(store.pool, 'new@oidc.example')).toEqual([]);
  expect(await signIn({ sub: 'new', email: 'new@oidc.example' })).toBe('new@oidc.example /runs?at=5');
  const recorded = await findAudit(store, { limit: 50 }, undefined);
  const ways = recorded.filter(({ action, object }) => action === 'person.signed_in' && object === 'new@oidc.example');
  expect(ways.map(({ body }) => JSON.parse(body).with)).toEqual(['provider', 'provider']);
});

it('an address that the provider has not verified links nothing', async () => {
  await makePerson(store, 'victim@oidc.example');
  await invite('invited@oidc.example');
  const words = /^The provider has not verified your e-mail address/;
  expect(await signIn({ sub: 'thief', email: 'victim@oidc.example', verified: false })).toMatch(words);
  expect(await signIn({ sub: 'thief', email: 'invited@oidc.example', verified: false })).toMatch(words);
  const { rows } = await store.pool.query(`SELECT 1 FROM auth_account WHERE "accountId" LIKE '%thief%'`);
  expect(rows).toEqual([]);
});

it('a person who changed the address at the provider is known by the id there, and becomes nobody else', async () => {
  await makePerson(store, 'old@oidc.example');
  await makePerson(store, 'boss@oidc.example');
  expect(await signIn({ sub: 'mover', email: 'old@oidc.example' })).toBe('old@oidc.example /runs?at=5');
  expect(await signIn({ sub: 'mover', email: 'boss@oidc.example' })).toBe('old@oidc.example /runs?at=5');
  expect((await findPerson(store, { email: 'old@oidc.example' }))?.email).toBe('old@oidc.example');
  // Another person of the provider who now has the former address is not the person who had it.
  expect(await signIn({ sub: 'heir', email: 'nobody@oidc.example' })).toMatch(/^You have no account here/);
});

it('another identity of the provider with the same address signs nobody in before the first one is unlinked', async () => {
  const { id, email } = await makePerson(store, 'twice@oidc.example');
  const admin = await makePerson(store, 'admin@oidc.example', { administrator: true });
  expect(await signIn({ sub: 'first', email })).toBe(`${email} /runs?at=5`);
  expect(await signIn({ sub: 'second', email })).toMatch(/^Your account here is linked to another identity/);
  const actor = await personActor(admin.email);
  await unlinkProvider(actor, id);
  await expect(unlinkProvider(actor, id)).rejects.toMatchObject({ code: 'conflict' });
  expect(await signIn({ sub: 'second', email })).toBe(`${email} /runs?at=5`);
  expect(await signIn({ sub: 'first', email })).toMatch(/^Your account here is linked to another identity/);
  const recorded = (await findAudit(store, { limit: 50 }, undefined)).filter(({ object }) => object === email);
  const ofIdentity = recorded
    .filter(({ action }) => action.startsWith('person.identity'))
    .map((each) => [each.action, each.actor]);
  expect(ofIdentity.toReversed()).toEqual([
    ['person.identity_linked', email],
    ['person.identity_forgotten', admin.email],
    ['person.identity_linked', email],
  ]);
});

it('a person who is signed in unlinks the own identity with the password', async () => {
  const { email } = await makePerson(store, 'self@oidc.example');
  await signIn({ sub: 'self', email });
  const actor = await personActor(email);
  const request = browserRequest(actor.cookies);
  await expect(unlinkOwnProvider(actor, request, 'wrong')).rejects.toMatchObject({ code: 'not_allowed' });
  expect((await unlinkOwnProvider(actor, request, testPassword)).hasProvider).toBe(false);
});

it('two identities with one address that come at the same time link one', async () => {
  const { email } = await makePerson(store, 'race@oidc.example');
  const ends = await Promise.all([signIn({ sub: 'race-a', email }), signIn({ sub: 'race-b', email })]);
  expect(ends.filter((end) => end.startsWith(email))).toHaveLength(1);
});

it.each([
  ['another client as azp', { claims: { azp: 'another-app' } }],
  ['several audiences without azp', { audience: ['callboard', 'another-app'] }],
  [
    'several audiences and another client as azp',
    { audience: ['callboard', 'another-app'], claims: { azp: 'another-app' } },
  ],
  ['a time of issue in the future', { claims: { iat: 4e9 } }],
  ['a time of issue of yesterday', { claims: { iat: Math.floor(Date.now() / 1_000) - 86_400 } }],
  ['no token at all', { withoutToken: true }],
])('a provider that answers with %s signs nobody in', async (_what, lie) => {
  const email = `${randomUUID()}@oidc.example`;
  await makePerson(store, email);
  expect(await signIn({ sub: email, email, ...lie })).toBe(
    'The provider could not sign you in. Try again, or use another way.',
  );
});

it('a token for several clients names this one as the one that asked', async () => {
  const { email } = await makePerson(store, 'several@oidc.example');
  const login = { sub: 'several', email, audience: ['callboard', 'another-app'], claims: { azp: 'callboard' } };
  expect(await signIn(login)).toBe(`${email} /runs?at=5`);
});

it.each(['true', 'false', 1, {}, null, []])(
  'an address counts as verified by the boolean alone, not by %j',
  async (value) => {
    const { email } = await makePerson(store, `${randomUUID()}@oidc.example`);
    expect(await signIn({ sub: email, email, claims: { email_verified: value } })).toMatch(
      /has not verified your e-mail/,
    );
  },
);

async function personActor(email: string) {
  const { cookies } = await signInWithPassword(store, browserRequest(), { email, password: testPassword });
  const actor = await resolveActor(browserRequest(cookies));
  if (actor === undefined) throw new Error('Not signed in');
  return { ...actor, cookies };
}

it.each([
  ['another nonce', { nonce: 'of another sign-in' }],
  ['another audience', { audience: 'another-app' }],
  ['a signature of an unknown key', { forged: true }],
])('a token with %s signs nobody in', async (_what, lie) => {
  const email = 'sure@oidc.example';
  await makePerson(store, email);
  expect(await signIn({ sub: 'sure', email, ...lie })).toBe(
    'The provider could not sign you in. Try again, or use another way.',
  );
});

it('a return from the provider in another browser, with another state or a second time signs nobody in', async () => {
  await makePerson(store, 'state@oidc.example');
  const login = { sub: 'state', email: 'state@oidc.example' };
  const [one, two] = [await begin(), await begin()];
  const again = /^The sign-in took too long, or began in another browser/;
  expect(await comeBack(provider.logIn(one.url, login), [])).toMatch(again);
  expect(await comeBack(provider.logIn(one.url, login), two.cookies)).toMatch(again);
  const changed = new URL(provider.logIn(two.url, login));
  changed.searchParams.set('state', 'guessed');
  expect(await comeBack(`${changed}`, two.cookies)).toMatch(again);
  const third = await begin();
  const back = provider.logIn(third.url, login);
  expect(await comeBack(back, third.cookies)).toBe('state@oidc.example /runs?at=5');
  expect(await comeBack(back, third.cookies)).toMatch(again);
});

it('a deactivated person is not let in by the provider', async () => {
  const { id } = await makePerson(store, 'gone@oidc.example');
  await signIn({ sub: 'gone', email: 'gone@oidc.example' });
  await store.pool.query('UPDATE auth_user SET "deactivatedAt" = now() WHERE id = $1', [id]);
  expect(await signIn({ sub: 'gone', email: 'gone@oidc.example' })).toMatch(/could not sign you in/);
});

it('no token of the provider is kept, neither in the first sign-in nor in a later one', async () => {
  await invite('kept@oidc.example');
  for (let time = 0; time < 2; time += 1) await signIn({ sub: 'kept', email: 'kept@oidc.example' });
  const { rows } = await store.pool.query<{ whole: string }>(
    `SELECT to_jsonb(account)::text AS whole FROM auth_account account WHERE "accountId" = 'kept'`,
  );
  expect(rows).toHaveLength(1);
  expect(JSON.parse(rows[0]?.whole ?? '')).toMatchObject({ accessToken: null, refreshToken: null, idToken: null });
  expect(rows[0]?.whole).not.toContain('eyJ');
});
