import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { POST as begin } from '@/app/api/v1/logins/route';
import { POST as fetchToken } from '@/app/api/v1/logins/token/route';
import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { allowLogin, denyLogin, readLogin } from '@/lib/server/accounts/cli-login';
import { listOwnTokens } from '@/lib/server/accounts/tokens';
import { whoAsks } from '@/lib/server/accounts/who-asks';
import { insertProject } from '@/lib/store/projects';
import { testDatabase } from '@/lib/testing/postgres';
import { personInBrowser, scriptRequest, tokenFor, withTokens } from '@/lib/testing/token-people';

const { url, store } = await testDatabase();
withTokens(url);

let here: ProjectId;
let ann: Actor;
beforeAll(async () => {
  here = await insertProject(store, 'Here', folderOf({ 'a.md': 'a' }));
  ann = await personInBrowser(store, 'ann@logins.example', { in: { [here]: 'editor' } });
});

const begun = z.object({ secret: z.string(), code: z.string(), link: z.string(), seconds: z.number() });
const noParams = { params: Promise.resolve({}) };

function post(route: typeof begin, body: unknown, from?: string): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body), ...(from !== undefined && { from }) };
  return route(scriptRequest(undefined, init), noParams);
}

const start = async (machine = 'laptop', from?: string) =>
  begun.parse(await (await post(begin, { machine, scopes: ['read', 'answer'] }, from)).json());
const poll = async (secret: string) => {
  const response = await post(fetchToken, { secret });
  return { status: response.status, ...(await response.json()) };
};
const allowed = { scopes: ['read'] as const, project: null, days: 30 };

it('a command gets a token once a person has allowed it, and only once', async () => {
  const { secret, code, link, seconds } = await start();
  expect([link, seconds]).toEqual([`http://127.0.0.1:3000/cli?code=${code}`, 600]);
  expect(code).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
  expect(await poll(secret)).toEqual({ status: 200, state: 'waiting' });
  expect(await readLogin(ann, code.toLowerCase())).toEqual({
    ...{ code, machine: 'laptop', address: '192.0.2.9', scopes: ['read', 'answer'] },
  });
  await allowLogin(ann, code, allowed);
  const { rows } = await store.pool.query('SELECT l::text AS all FROM "CliLogin" l');
  expect(JSON.stringify(rows)).not.toContain(secret);
  const answers = await Promise.all([poll(secret), poll(secret)]);
  const given = answers.find(({ state }) => state === 'allowed');
  expect(given).toMatchObject({ person: 'ann@logins.example', token: expect.stringMatching(/^cb_[0-9a-z]{57}$/) });
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(1);
  expect((await poll(secret)).status).toBe(404);
  const actor = await whoAsks(scriptRequest(`Bearer ${given?.token}`));
  expect(actor).toMatchObject({ by: 'ann@logins.example', reach: { token: { scopes: ['read'] } } });
  expect((await listOwnTokens(ann)).map(({ name }) => name)).toEqual(['callboard on laptop']);
});

it('a refused login gives no token, and is decided once', async () => {
  const { secret, code } = await start();
  await denyLogin(ann, code);
  expect(await poll(secret)).toEqual({ status: 200, state: 'denied' });
  await expect(allowLogin(ann, code, allowed)).rejects.toThrow('allowed or refused already');
  await expect(readLogin(ann, code)).rejects.toThrow('allowed or refused already');
});

it('after ten minutes nobody may allow a login, and the command learns that', async () => {
  const { secret, code } = await start();
  const late = await start();
  await allowLogin(ann, late.code, allowed);
  await store.pool.query('UPDATE "CliLogin" SET "expiresAt" = now()');
  await expect(readLogin(ann, code)).rejects.toThrow('too old');
  await expect(allowLogin(ann, code, allowed)).rejects.toThrow('too old');
  for (const each of [secret, late.secret]) expect((await poll(each)).status).toBe(404);
});

it('a token allows no login, and nobody gets one of a person who was deactivated', async () => {
  const { code } = await start();
  const own = (await whoAsks(scriptRequest(`Bearer ${await tokenFor(ann, ['read'])}`))) as Actor;
  await expect(allowLogin(own, code, allowed)).rejects.toThrow('Do it in the browser.');
  const eve = await personInBrowser(store, 'eve@logins.example');
  const login = await start();
  await allowLogin(eve, login.code, allowed);
  await store.prisma.authUser.update({ where: { email: eve.by }, data: { deactivatedAt: new Date() } });
  expect((await poll(login.secret)).status).toBe(404);
});

it('a login is for a project that the person may see', async () => {
  const other = await insertProject(store, 'Other', folderOf({ 'a.md': 'a' }));
  const { secret, code } = await start();
  await expect(allowLogin(ann, code, { ...allowed, project: other })).rejects.toThrow('There is no such project');
  await allowLogin(ann, code, { ...allowed, project: here });
  const actor = await whoAsks(scriptRequest(`Bearer ${(await poll(secret)).token}`));
  expect(actor?.reach).toMatchObject({ token: { project: here } });
});

it('one address begins 20 logins in ten minutes', async () => {
  const from = '203.0.113.80';
  for (let index = 0; index < 20; index++) await start('laptop', from);
  expect((await post(begin, { machine: 'laptop', scopes: ['read'] }, from)).status).toBe(429);
});

it.each([
  [{ machine: '', scopes: ['read'] }],
  [{ machine: 'a\u202eb', scopes: ['read'] }],
  [{ machine: 'a', scopes: [] }],
  [{ machine: 'a', scopes: ['root'] }],
  [{ machine: 'a', scopes: ['read'], userId: 'someone' }],
])('a login of %j is not begun', async (body) => {
  expect((await post(begin, body, '203.0.113.81')).status).toBe(400);
});

it.each([[{}], [{ secret: null }], [{ secret: '' }], [{ secret: 'x'.repeat(101) }], [{ secret: ['a'] }]])(
  'nothing is fetched with %j',
  async (body) => expect((await post(fetchToken, body)).status).toBe(400),
);

it('without accounts no login begins', async () => {
  vi.stubEnv('CALLBOARD_ACCOUNTS', '');
  onTestFinished(() => void vi.stubEnv('CALLBOARD_ACCOUNTS', '1'));
  expect((await post(begin, { machine: 'a', scopes: ['read'] })).status).toBe(404);
});

const padded = (bytes: number) => ({ machine: 'laptop', scopes: ['read'], secret: 'a', more: 'x'.repeat(bytes) });

it.each([
  ['begun', begin, 20],
  ['fetched', fetchToken, 30],
])('a login that is %s with more than 1 KiB is refused, and counts as a try', async (name, route, most) => {
  const from = `203.0.113.${90 + name.length}`;
  for (let index = 0; index < most; index++) expect((await post(route, padded(1024), from)).status).toBe(413);
  expect((await post(route, padded(1024), from)).status).toBe(429);
  let isRead = false;
  const request = scriptRequest(undefined, { method: 'POST', body: '{}', from });
  Object.defineProperty(request, 'body', { get: () => (isRead = true) });
  expect((await route(request, noParams)).status).toBe(429);
  expect(isRead).toBe(false);
});
