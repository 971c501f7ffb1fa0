import { expect, it, vi } from 'vitest';
import { AppError } from '@/lib/base/app-error';
import { countTokens, insertToken } from '@/lib/store/api-tokens';
import { findAudit } from '@/lib/store/audit';
import { makeAuthLink } from '@/lib/store/auth-links';
import { decideLogin, insertLogin, takeLogin } from '@/lib/store/cli-logins';
import { insertPasskey, listPasskeys } from '@/lib/store/passkeys';
import { hasAdministrator, readPasswordHash } from '@/lib/store/people';
import { browserRequest, makePerson, testPassword, withAccounts } from '@/lib/testing/accounts';
import { testDatabase } from '@/lib/testing/postgres';
import { hashPassword } from './password-hash';
import { PasswordTurns, takeTurn } from './password-turns';
import { changePassword, resetPassword } from './passwords';
import { findSession } from './session';
import { setUp } from './setup';
import { openSession, signInWithPassword, signOut } from './sign-in';

const { store } = await testDatabase();
withAccounts();

const sentenceOf = async (work: Promise<unknown>) => {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${error.code}: ${error.message}`;
  }
};
const personOf = async (cookies: readonly string[]) =>
  (await findSession(store, browserRequest(cookies).headers))?.email;
const signIn = async (email: string, password = testPassword) =>
  await signInWithPassword(store, browserRequest(), { email, password });

it('the setup link makes one administrator, also when two use it at the same time', async () => {
  expect(await hasAdministrator(store)).toBe(false);
  const token = await makeAuthLink(store.pool, { kind: 'setup', user: null, madeBy: 'callboard' });
  const stored = await store.pool.query('SELECT * FROM auth_link');
  expect(JSON.stringify(stored.rows)).not.toContain(token);
  const given = (email: string) => ({ name: 'Ada Admin', email, password: 'three quiet rivers' });
  const ends = await Promise.all([
    sentenceOf(setUp(store, token, given('Ada@Setup.example'))),
    sentenceOf(setUp(store, token, given('bea@setup.example'))),
  ]);
  expect(ends.toSorted()).toEqual(['done', expect.stringMatching(/^not_allowed: This installation was set up/)]);
  expect(await sentenceOf(setUp(store, token, given('cy@setup.example')))).toMatch(/Sign in instead/);
  const { rows } = await store.pool.query('SELECT administrator FROM auth_user');
  expect(rows).toEqual([{ administrator: true }]);
  expect(await hasAdministrator(store)).toBe(true);
});

it('a setup link expires, and a newer one replaces it', async () => {
  const given = { name: 'Dee', email: 'dee@setup.example', password: 'three quiet rivers' };
  const old = await makeAuthLink(store.pool, { kind: 'setup', user: null, madeBy: 'callboard' });
  const next = await makeAuthLink(store.pool, { kind: 'setup', user: null, madeBy: 'callboard' });
  expect(await sentenceOf(setUp(store, old, given))).toMatch(/newer start has printed another/);
  await store.pool.query(`UPDATE auth_link SET "expiresAt" = now() - interval '1 second' WHERE "usedAt" IS NULL`);
  expect(await sentenceOf(setUp(store, next, given))).toMatch(/expired after a day/);
});

it('a person signs in with the address in any case, and signs out for good', async () => {
  await makePerson(store, 'ann@sign.example');
  const { cookies, next } = await signIn(' Ann@Sign.EXAMPLE ');
  expect(next).toBe('done');
  const [cookie] = cookies.filter((each) => each.startsWith('callboard_3000.session_token='));
  expect(cookie).toMatch(/; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(await personOf(cookies)).toBe('ann@sign.example');
  const cleared = await signOut(store, browserRequest(cookies));
  expect(cleared.join()).toMatch(/callboard_3000\.session_token=; Max-Age=0/);
  expect(await personOf(cookies)).toBeUndefined();
  expect(
    (
      await store.pool.query('SELECT 1 FROM auth_session s JOIN auth_user u ON u.id = s."userId" WHERE email = $1', [
        'ann@sign.example',
      ])
    ).rowCount,
  ).toBe(0);
});

it('a cookie that is changed, cut or of another key signs nobody in', async () => {
  await makePerson(store, 'bob@cookie.example');
  const [cookie = ''] = (await signIn('bob@cookie.example')).cookies;
  expect(await personOf([cookie])).toBe('bob@cookie.example');
  const [name, value = ''] = [cookie.split('=')[0], cookie.slice(cookie.indexOf('=') + 1).split(';')[0]];
  const token = decodeURIComponent(value).split('.')[0];
  for (const forged of [
    `${name}=${token}`,
    `${name}=${token}.AAAA`,
    `${name}=%E0%A4%A`,
    `${name}=x${value}`,
    `${name}=`,
  ]) {
    expect([forged, await personOf([forged])]).toEqual([forged, undefined]);
  }
});

it('an unknown address, a wrong password and a deactivated person get one sentence', async () => {
  const { id } = await makePerson(store, 'eve@known.example');
  const wrong = 'not_allowed: The e-mail address or the password is not right.';
  expect(await sentenceOf(signIn('eve@known.example', 'a wrong password'))).toBe(wrong);
  expect(await sentenceOf(signIn('nobody@known.example'))).toBe(wrong);
  expect(await sentenceOf(signIn('no address'))).toBe(wrong);
  await store.pool.query('UPDATE auth_user SET "deactivatedAt" = now() WHERE id = $1', [id]);
  expect(await sentenceOf(signIn('eve@known.example'))).toBe(wrong);
  expect(await sentenceOf(openSession(store, browserRequest(), id, 'passkey'))).toMatch(/deactivated/);
});

it('deactivating a person ends sessions that are open', async () => {
  const { id } = await makePerson(store, 'fay@deactivated.example');
  const { cookies } = await signIn('fay@deactivated.example');
  expect(await personOf(cookies)).toBe('fay@deactivated.example');
  await store.pool.query('UPDATE auth_user SET "deactivatedAt" = now() WHERE id = $1', [id]);
  expect(await personOf(cookies)).toBeUndefined();
});

it('a failed sign-in is recorded for each account, without the typed text, and a flood hides none', async () => {
  const failed = async () => await findAudit(store, { actions: ['person.sign_in_failed'], limit: 500 }, undefined);
  const fail = async (emails: readonly string[]) =>
    await Promise.all(emails.map((email) => sentenceOf(signIn(email, 'password typed'))));
  // The password of a person is refused without the work that an unknown address takes, because tests store a quick hash.
  const known = Array.from({ length: 13 }, (_, index) => `gil-${index}@failed.example`);
  for (const email of known) await makePerson(store, email);
  for (let round = 0; round < 3; round += 1) await fail(known);
  await fail(['secret-typed-here-1@x.example']);
  const ofKnown = async () =>
    (await failed()).map(({ object }) => object).filter((object) => object.startsWith('gil-'));
  await expect.poll(async () => (await ofKnown()).toSorted()).toEqual(known.toSorted());
  expect(JSON.stringify(await failed())).not.toMatch(/typed/);
});

it('while strangers fill the queue, another one is refused without a count, and a person at a known place comes in', async () => {
  const { email } = await makePerson(store, 'pat@queue.example');
  const patFrom = async (place: string) =>
    await signInWithPassword(store, from(place), { email, password: testPassword });
  await patFrom('198.51.100.9');
  // Two strangers have their turn, and 20 wait. Only the first one ends before the person has come in.
  const ends: (() => void)[] = [];
  const gates = [0, 1].map(() => new Promise<void>((resolve) => ends.push(resolve)));
  const strangers = Array.from({ length: 22 }, (_, n) =>
    takeTurn({ isKnown: false }, () => gates[n === 0 ? 0 : 1] ?? Promise.resolve()),
  );
  for (let n = 0; n < 15; n += 1) {
    expect(await sentenceOf(patFrom('203.0.113.1'))).toMatch(/^too_many: Too many people sign in just now/);
  }
  const run = vi.spyOn(PasswordTurns.prototype, 'run');
  const known = patFrom('198.51.100.9');
  await expect.poll(() => run.mock.calls.map(([comer]) => comer.account)).toEqual([email]);
  run.mockRestore();
  ends[0]?.();
  expect((await known).next).toBe('done');
  ends[1]?.();
  await Promise.all(strangers);
  expect((await patFrom('203.0.113.1')).next).toBe('done');
});

/** A browser at an address. */
function from(address: string): Request {
  const request = browserRequest();
  request.headers.set('x-callboard-client', address);
  return request;
}

it('a hash of weaker parameters is replaced at the next sign-in', async () => {
  const { id } = await makePerson(store, 'hal@weak.example');
  expect(await readPasswordHash(store, id)).toMatch(/^scrypt:2:1:1:/);
  await signIn('hal@weak.example');
  await expect.poll(() => readPasswordHash(store, id), { timeout: 10_000 }).toMatch(/^scrypt:65536:8:2:/);
  expect(await personOf((await signIn('hal@weak.example')).cookies)).toBe('hal@weak.example');
});

it('a changed password ends the other sessions and keeps this one', async () => {
  const { id } = await makePerson(store, 'ida@change.example');
  const [here, there] = [await signIn('ida@change.example'), await signIn('ida@change.example')];
  const session = await findSession(store, browserRequest(here.cookies).headers);
  const own = { userId: id, sessionId: session?.sessionId ?? '' };
  const actor = { by: 'ida@change.example', via: 'web' } as const;
  const change = (present: string, next: string) => changePassword(store, actor, own, { present, next });
  expect(await sentenceOf(change('wrong', 'four loud oceans'))).toMatch(/present password is not right/);
  expect(await sentenceOf(change(testPassword, 'short'))).toMatch(/12 or more/);
  expect(await sentenceOf(change(testPassword, 'ida@change.example'))).toMatch(/little more than the name/);
  await change(testPassword, 'four loud oceans');
  expect([await personOf(here.cookies), await personOf(there.cookies)]).toEqual(['ida@change.example', undefined]);
  expect(await sentenceOf(signIn('ida@change.example'))).toMatch(/not right/);
  expect((await signIn('ida@change.example', 'four loud oceans')).next).toBe('done');
});

it('a reset link sets a password once and ends all sessions', async () => {
  const { id } = await makePerson(store, 'joe@reset.example');
  const { cookies } = await signIn('joe@reset.example');
  const token = await makeAuthLink(store.pool, { kind: 'reset', user: id, madeBy: 'ann@sign.example' });
  expect(await sentenceOf(resetPassword(store, token, 'short'))).toMatch(/bad_request/);
  expect(await resetPassword(store, token, 'five slow trains')).toBe(id);
  expect(await personOf(cookies)).toBeUndefined();
  expect(await sentenceOf(resetPassword(store, token, 'six slow trains'))).toMatch(/used already/);
  expect((await signIn('joe@reset.example', 'five slow trains')).next).toBe('done');
});

it('a former password that is being checked while a new one is set leaves no session', async () => {
  const { id } = await makePerson(store, 'ned@race.example');
  // The hash takes its time, so that the new password comes in the middle.
  const slow = await hashPassword(testPassword);
  await store.pool.query('UPDATE auth_account SET password = $2 WHERE "userId" = $1', [id, slow]);
  const token = await makeAuthLink(store.pool, { kind: 'reset', user: id, madeBy: 'ann@sign.example' });
  const former = Array.from({ length: 6 }, () => sentenceOf(signIn('ned@race.example')));
  await resetPassword(store, token, 'five slow trains');
  await Promise.all(former);
  const { rows } = await store.pool.query('SELECT 1 FROM auth_session WHERE "userId" = $1', [id]);
  expect(rows).toEqual([]);
}, 30_000);

it('two sign-ins at once succeed, also when the first renews an outdated hash of the same password', async () => {
  const { id } = await makePerson(store, 'tim@race.example');
  const before = await readPasswordHash(store, id);
  const slow = signIn('tim@race.example');
  const ends = await Promise.all([slow, ...Array.from({ length: 5 }, () => signIn('tim@race.example'))]);
  expect(ends.map(({ next }) => next)).toEqual(Array.from({ length: 6 }, () => 'done'));
  await expect.poll(() => readPasswordHash(store, id)).not.toBe(before);
  expect((await signIn('tim@race.example')).next).toBe('done');
}, 30_000);

it('a reset link ends passkeys, tokens and logins of commands, of this person alone', async () => {
  const joe = await makePerson(store, 'joe@ends.example');
  const bea = await makePerson(store, 'bea@ends.example');
  for (const { id, email } of [joe, bea]) {
    const passkey = { id, userId: id, credentialId: id, publicKey: new Uint8Array(1), counter: 0, transports: [] };
    await insertPasskey(store, { ...passkey, name: 'a' }, { by: email, via: 'web' });
    const token = { id, userId: id, name: 'a', prefix: 'cb', tokenHash: id, scopes: ['read' as const], project: null };
    await insertToken(store.pool, { ...token, days: null });
    const login = { id, code: id, secretHash: id, machine: 'a', address: '192.0.2.7', scopes: ['read' as const] };
    await insertLogin(store, login);
    await decideLogin(store, id, { userId: id, scopes: ['read'], project: null, days: null });
  }
  const token = await makeAuthLink(store.pool, { kind: 'reset', user: joe.id, madeBy: 'ann@sign.example' });
  await resetPassword(store, token, 'five slow trains');
  const leftOf = async ({ id }: { readonly id: string }) => [
    (await listPasskeys(store, id)).length,
    await countTokens(store.pool, id),
    (await takeLogin(store.pool, id)) !== undefined,
  ];
  expect([await leftOf(joe), await leftOf(bea)]).toEqual([
    [0, 0, false],
    [1, 1, true],
  ]);
  const changes = await findAudit(store, { actions: ['person.password_changed'], limit: 500 }, undefined);
  expect(changes.find(({ object }) => object === 'joe@ends.example')?.body).toBe('{"passkeys":1,"tokens":1}');
});
