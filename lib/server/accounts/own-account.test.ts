import { beforeAll, expect, test, vi } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import { browserRequest, makePerson, testPassword, withAccounts } from '@/lib/testing/accounts';
import { testDatabase } from '@/lib/testing/postgres';
import { beginPasskey, changeOwnPassword, endOwnSessions, keepPasskey, readOwnAccount } from './own-account';
import { resolveActor } from './resolve-actor';
import { signInWithPassword } from './sign-in';

withAccounts();
const { url, store } = await testDatabase();
beforeAll(() => vi.stubEnv('DATABASE_URL', url));

async function signedIn(email: string) {
  const { cookies } = await signInWithPassword(store, browserRequest(), { email, password: testPassword });
  const request = browserRequest(cookies);
  const actor = await resolveActor(request);
  if (actor === undefined) throw new Error('Not signed in');
  return { request, actor };
}

test('a person sees their sessions, and ends one or all others', async () => {
  await makePerson(store, 'own@example.org');
  const [here, there, third] = [
    await signedIn('own@example.org'),
    await signedIn('own@example.org'),
    await signedIn('own@example.org'),
  ];
  const account = await readOwnAccount(here.actor, here.request);
  expect(account.sessions.map(({ isThis }) => isThis).filter(Boolean)).toHaveLength(1);
  expect(account.sessions).toHaveLength(3);
  const other = (await readOwnAccount(there.actor, there.request)).sessions.find(({ isThis }) => isThis);
  await endOwnSessions(here.actor, here.request, other?.id ?? '');
  expect(await resolveActor(there.request)).toBeUndefined();
  expect((await endOwnSessions(here.actor, here.request, 'others')).sessions).toHaveLength(1);
  expect(await resolveActor(third.request)).toBeUndefined();
  expect(await resolveActor(here.request)).toBeDefined();
  await expect(readOwnAccount(third.actor, third.request)).rejects.toMatchObject({ code: 'not_found' });
});

test('nobody ends a session of somebody else', async () => {
  await makePerson(store, 'one@example.org');
  await makePerson(store, 'two@example.org');
  const [one, two] = [await signedIn('one@example.org'), await signedIn('two@example.org')];
  const theirs = (await readOwnAccount(two.actor, two.request)).sessions[0]?.id ?? '';
  await endOwnSessions(one.actor, one.request, theirs);
  expect(await resolveActor(two.request)).toBeDefined();
});

test('a token changes nothing of the account', async () => {
  await makePerson(store, 'token@example.org');
  const { actor, request } = await signedIn('token@example.org');
  if (actor.reach === 'all' || actor.reach.kind !== 'person') throw new Error('No person');
  const token: Actor = { ...actor, reach: { ...actor.reach, token: { id: 't', scopes: ['administer'] } } };
  const given = { present: testPassword, next: 'another set of words' };
  await expect(changeOwnPassword(token, request, given)).rejects.toMatchObject({ code: 'not_allowed' });
});

test('a passkey needs a name as address, and what a browser sends is checked', async () => {
  await makePerson(store, 'key@example.org');
  const { actor, request } = await signedIn('key@example.org');
  await expect(beginPasskey(actor, request, testPassword)).rejects.toMatchObject({ code: 'bad_request' });
  await expect(keepPasskey(actor, request, { name: 'a', credential: {} })).rejects.toMatchObject({
    code: 'bad_request',
  });
});

test('a passkey is begun with the password, not from a browser that somebody left open', async () => {
  await makePerson(store, 'open@example.org');
  const { actor, request } = await signedIn('open@example.org');
  await expect(beginPasskey(actor, underName(request), '')).rejects.toMatchObject({ code: 'not_allowed' });
  await expect(beginPasskey(actor, underName(request), 'a wrong password')).rejects.toMatchObject({
    code: 'not_allowed',
  });
  expect(JSON.parse(await beginPasskey(actor, underName(request), testPassword))).toMatchObject({
    rp: { id: 'localhost' },
  });
});

test('a person without a password adds a passkey, and sets a password, only after signing in anew', async () => {
  const { id } = await makePerson(store, 'provider@example.org');
  const { actor, request } = await signedIn('provider@example.org');
  await store.pool.query('UPDATE auth_account SET password = NULL WHERE "userId" = $1', [id]);
  expect(JSON.parse(await beginPasskey(actor, underName(request), ''))).toMatchObject({ rp: { id: 'localhost' } });
  await store.pool.query(`UPDATE auth_session SET "createdAt" = now() - interval '11 minutes' WHERE "userId" = $1`, [
    id,
  ]);
  const refusal = { code: 'not_allowed', message: expect.stringContaining('sign in again') };
  await expect(beginPasskey(actor, underName(request), '')).rejects.toMatchObject(refusal);
  const given = { present: '', next: 'another set of words' };
  await expect(changeOwnPassword(actor, request, given)).rejects.toMatchObject(refusal);
});

/** The same browser, which asks under a name: browsers make no passkeys for IP addresses. */
function underName(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set('host', 'localhost:3000');
  return new Request('http://localhost:3000/', { headers });
}
