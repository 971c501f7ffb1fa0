import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { authorize } from '@/lib/server/authorize';
import { findAudit } from '@/lib/store/audit';
import { readSecondFactor } from '@/lib/store/second-factors';
import { browserRequest, makePerson, testPassword, withAccounts } from '@/lib/testing/accounts';
import { testDatabase } from '@/lib/testing/postgres';
import { codeAt } from './one-time-code';
import { beginOwnFactor, confirmOwnFactor, dropOwnFactor, readOwnAccount, renewOwnCodes } from './own-account';
import { readPeople, resetSecondFactor, setSecondFactorRequired } from './people';
import { resolveActor } from './resolve-actor';
import { openSession, signInWithCode, signInWithPassword } from './sign-in';
import { makeToken } from './tokens';

withAccounts();
const { url, store } = await testDatabase();
beforeAll(() => vi.stubEnv('DATABASE_URL', url));
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000);

async function enter(email: string, password = testPassword) {
  return await signInWithPassword(store, browserRequest(), { email, password });
}

async function asBrowser(cookies: readonly string[]) {
  const request = browserRequest(cookies);
  const actor = await resolveActor(request);
  if (actor === undefined) throw new Error('Not signed in');
  return { request, actor };
}

/** Makes a person with a second factor, in a browser that is signed in. */
async function withFactor(email: string, administrator = false) {
  const person = await makePerson(store, email, { administrator });
  const browser = await asBrowser((await enter(email)).cookies);
  const { secret } = await beginOwnFactor(browser.actor, browser.request, testPassword);
  const { codes } = await confirmOwnFactor(browser.actor, browser.request, codeAt(secret, Date.now()));
  later(30);
  return { ...person, ...browser, secret, codes };
}

async function codeStep(email: string) {
  const { next, cookies } = await enter(email);
  expect(next).toBe('code');
  await expect(asBrowser(cookies)).rejects.toThrow('Not signed in');
  return async (code: string) => await signInWithCode(store, browserRequest(cookies), code);
}

const sentenceOf = async (work: Promise<unknown>) => {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${error.code}: ${error.message}`;
  }
};
const changesOf = async (email: string) =>
  (await findAudit(store, { limit: 100 }, undefined))
    .filter(({ action, object }) => action === 'person.second_factor_changed' && object === email)
    .map(({ actor, body }) => `${actor} ${JSON.parse(body).change}`)
    .reverse();

const notRight =
  'not_allowed: This code is not right, or it was used already. Codes of the app change every 30 seconds.';

it('a second factor counts when a code of it was shown, and is encrypted', async () => {
  const { id } = await makePerson(store, 'ann@factor.example');
  const { actor, request } = await asBrowser((await enter('ann@factor.example')).cookies);
  expect(await sentenceOf(beginOwnFactor(actor, request, 'a wrong password'))).toMatch(/present password is not right/);
  const { secret, address } = await beginOwnFactor(actor, request, testPassword);
  expect(address).toBe(`otpauth://totp/Callboard:ann%40factor.example?secret=${secret}&issuer=Callboard`);
  expect(await sentenceOf(confirmOwnFactor(actor, request, '000000'))).toMatch(/^not_allowed: This code is not right/);
  // Begun is not on.
  expect((await enter('ann@factor.example')).next).toBe('done');
  expect((await readOwnAccount(actor, request)).backupCodesLeft).toBeNull();
  const { account, codes } = await confirmOwnFactor(actor, request, codeAt(secret, Date.now()));
  expect([account.backupCodesLeft, new Set(codes).size]).toEqual([10, 10]);
  const rows = JSON.stringify((await store.pool.query('SELECT * FROM auth_two_factor')).rows);
  for (const text of [secret, ...codes]) expect(rows).not.toContain(text);
  expect((await readSecondFactor(store, id))?.isOn).toBe(true);
  expect(await sentenceOf(beginOwnFactor(actor, request, testPassword))).toMatch(/^conflict: A second factor is on/);
  expect(await changesOf('ann@factor.example')).toEqual(['ann@factor.example on']);
});

it('a code signs a person in once, after the password', async () => {
  const { secret } = await withFactor('bob@factor.example');
  const code = codeAt(secret, Date.now());
  const answer = await codeStep('bob@factor.example');
  expect(await sentenceOf(answer('123456'))).toBe(notRight);
  const { cookies } = await answer(` ${code.slice(0, 3)} ${code.slice(3)} `);
  expect((await asBrowser(cookies)).actor.by).toBe('bob@factor.example');
  const again = await codeStep('bob@factor.example');
  expect(await sentenceOf(again(code))).toBe(notRight);
  later(30);
  expect(await sentenceOf(again(codeAt(secret, Date.now())))).toBe('done');
  // The step is over.
  expect(await sentenceOf(again(codeAt(secret, Date.now() + 30_000)))).toMatch(/Sign in again with your password/);
  expect(await sentenceOf(signInWithCode(store, browserRequest(), code))).toMatch(/Sign in again with your password/);
});

it('two tries with the same code at the same time sign in once', async () => {
  const { secret } = await withFactor('both@factor.example');
  const [one, two] = [await codeStep('both@factor.example'), await codeStep('both@factor.example')];
  const code = codeAt(secret, Date.now());
  const ends = await Promise.all([sentenceOf(one(code)), sentenceOf(two(code))]);
  expect(ends.toSorted()).toEqual(['done', notRight]);
});

it('the code that switched the factor on signs nobody in', async () => {
  await makePerson(store, 'cat@factor.example');
  const { actor, request } = await asBrowser((await enter('cat@factor.example')).cookies);
  const { secret } = await beginOwnFactor(actor, request, testPassword);
  const code = codeAt(secret, Date.now());
  await confirmOwnFactor(actor, request, code);
  expect(await sentenceOf((await codeStep('cat@factor.example'))(code))).toBe(notRight);
});

it('each backup code signs in once, in any case and without its dash, until new ones replace them', async () => {
  const { actor, request, codes } = await withFactor('dan@factor.example');
  const [first = '', second = '', third = ''] = codes;
  expect(await sentenceOf((await codeStep('dan@factor.example'))(first))).toBe('done');
  expect(await sentenceOf((await codeStep('dan@factor.example'))(first))).toBe(notRight);
  expect(await sentenceOf((await codeStep('dan@factor.example'))(second.toUpperCase().replace('-', '')))).toBe('done');
  expect((await readOwnAccount(actor, request)).backupCodesLeft).toBe(8);
  expect(await sentenceOf(renewOwnCodes(actor, request, 'a wrong password'))).toMatch(/^not_allowed/);
  const renewed = await renewOwnCodes(actor, request, testPassword);
  expect(renewed.account.backupCodesLeft).toBe(10);
  expect(await sentenceOf((await codeStep('dan@factor.example'))(third))).toBe(notRight);
  expect(await sentenceOf((await codeStep('dan@factor.example'))(renewed.codes[0] ?? ''))).toBe('done');
  expect(await changesOf('dan@factor.example')).toEqual(['dan@factor.example on', 'dan@factor.example codes']);
});

it('after five wrong codes a person waits, whatever the address and the sign-in', async () => {
  const { secret } = await withFactor('eve@factor.example');
  for (const wrong of ['000001', '000002', '000003', 'aaaaa-bbbbb', 'aaaaa-ccccc']) {
    expect(await sentenceOf((await codeStep('eve@factor.example'))(wrong))).toBe(notRight);
  }
  const answer = await codeStep('eve@factor.example');
  expect(await sentenceOf(answer(codeAt(secret, Date.now())))).toMatch(
    /^too_many: Too many codes of the second factor/,
  );
});

it('switching the factor off needs the password, and then no sign-in asks for a code', async () => {
  const { actor, request } = await withFactor('fay@factor.example');
  expect(await sentenceOf(dropOwnFactor(actor, request, 'a wrong password'))).toMatch(/^not_allowed/);
  expect((await enter('fay@factor.example')).next).toBe('code');
  expect((await dropOwnFactor(actor, request, testPassword)).backupCodesLeft).toBeNull();
  expect((await enter('fay@factor.example')).next).toBe('done');
  expect(await sentenceOf(dropOwnFactor(actor, request, testPassword))).toMatch(/^conflict: No second factor is on/);
});

it('a person can try the password of the second question ten times', async () => {
  await makePerson(store, 'guess@factor.example');
  const { actor, request } = await asBrowser((await enter('guess@factor.example')).cookies);
  for (let count = 0; count < 10; count++) await sentenceOf(beginOwnFactor(actor, request, `guess ${count}`));
  expect(await sentenceOf(beginOwnFactor(actor, request, testPassword))).toMatch(/^too_many/);
});

it('a passkey counts as both factors, and tokens are not affected', async () => {
  const { id, actor } = await withFactor('gil@factor.example');
  const { token } = await makeToken(actor, { name: 't', scopes: ['read'], project: null, days: 1 });
  expect(token).toMatch(/./);
  const { next } = await openSession(store, browserRequest(), id, 'passkey');
  expect(next).toBe('done');
});

it('an administrator removes the factor of somebody who has lost it, and that ends the sessions', async () => {
  const admin = await withFactor('admin@factor.example', true);
  const { id, request } = await withFactor('hal@factor.example');
  expect(await resolveActor(request)).toBeDefined();
  await resetSecondFactor(admin.actor, id);
  expect(await resolveActor(request)).toBeUndefined();
  expect((await enter('hal@factor.example')).next).toBe('done');
  expect(await changesOf('hal@factor.example')).toEqual(['hal@factor.example on', 'admin@factor.example reset']);
  expect(await sentenceOf(resetSecondFactor(admin.actor, id))).toMatch(/^conflict/);
  const member = await asBrowser((await enter('hal@factor.example')).cookies);
  expect(await sentenceOf(resetSecondFactor(member.actor, admin.id))).toMatch(/^not_allowed/);
});

it('where everybody needs a second factor, a person without one may do nothing before adding one', async () => {
  const none = await makePerson(store, 'root@need.example', { administrator: true });
  const root = await asBrowser((await enter('root@need.example')).cookies);
  expect(await sentenceOf(setSecondFactorRequired(root.actor, true))).toMatch(/^conflict: Add a second factor to your/);
  const admin = await withFactor('boss@need.example', true);
  await setSecondFactorRequired(admin.actor, true);
  try {
    expect((await readPeople(admin.actor)).needsSecondFactor).toBe(true);
    const held = await asBrowser((await enter('root@need.example')).cookies);
    const may = async (actor: Actor, action: 'installation.use' | 'account.self' | 'account.enter') =>
      await sentenceOf(authorize(store, actor, action, 'installation'));
    const refused = 'not_allowed: Here everybody needs a second factor. Add one on Account first.';
    expect(await may(held.actor, 'installation.use')).toBe(refused);
    expect(await sentenceOf(makeToken(held.actor, { name: 't', scopes: ['read'], project: null, days: 1 }))).toBe(
      refused,
    );
    expect(await sentenceOf(setSecondFactorRequired(held.actor, false))).toBe(refused);
    const { mustAddSecondFactor } = await readOwnAccount(held.actor, held.request);
    expect(mustAddSecondFactor).toBe(true);
    const { secret } = await beginOwnFactor(held.actor, held.request, testPassword);
    const { account } = await confirmOwnFactor(held.actor, held.request, codeAt(secret, Date.now()));
    expect(account.mustAddSecondFactor).toBe(false);
    expect(
      await may(
        (await asBrowser([...(held.request.headers.get('cookie') ?? '').split('; ')])).actor,
        'installation.use',
      ),
    ).toBe('done');
    // Whoever comes with the provider alone is not asked.
    await store.pool.query('UPDATE auth_account SET password = NULL WHERE "userId" = $1', [none.id]);
    await store.pool.query('UPDATE auth_user SET "twoFactorEnabled" = false WHERE id = $1', [none.id]);
    expect(
      await may(
        (await asBrowser((await openSession(store, browserRequest(), none.id, 'provider')).cookies)).actor,
        'installation.use',
      ),
    ).toBe('done');
  } finally {
    await setSecondFactorRequired(admin.actor, false);
  }
});
