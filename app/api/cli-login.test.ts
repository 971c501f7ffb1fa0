import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { POST as begin } from '@/app/api/v1/logins/route';
import { POST as fetchToken } from '@/app/api/v1/logins/token/route';
import { GET as pending } from '@/app/api/v1/pending/route';
import { DELETE as revoke } from '@/app/api/v1/tokens/[token]/route';
import { GET as tokens } from '@/app/api/v1/tokens/route';
import type { Actor } from '@/lib/base/actor';
import { allowLogin, denyLogin } from '@/lib/server/accounts/cli-login';
import { listOwnTokens, revokeOwnToken } from '@/lib/server/accounts/tokens';
import { callCallboard } from '@/lib/testing/callboard';
import { testDatabase } from '@/lib/testing/postgres';
import { routeServer } from '@/lib/testing/route-server';
import { personInBrowser, tokenFor, withTokens } from '@/lib/testing/token-people';

/* The command asks the routes over HTTP, as it asks the app. The browser of the person is its service. */

const { url, store } = await testDatabase();
withTokens(url);

const address = routeServer({
  'POST /api/v1/logins': begin,
  'POST /api/v1/logins/token': fetchToken,
  'GET /api/v1/pending': pending,
  'GET /api/v1/tokens': tokens,
  'DELETE /api/v1/tokens/[token]': revoke,
});
let ann: Actor;
let folder = '';
beforeAll(async () => {
  ann = await personInBrowser(store, 'ann@cli.example');
});
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'callboard-login-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const variables = () => ({ XDG_CONFIG_HOME: folder, CALLBOARD_DATA: folder, CALLBOARD_APP: address() });
const callboard = (...args: string[]) => callCallboard(args, variables());
const file = () => path.join(folder, 'callboard', 'logins.json');
const openCode = async () =>
  await vi.waitFor(async () => {
    const [login] = await store.prisma.cliLogin.findMany({ where: { allowedAt: null, deniedAt: null } });
    if (login === undefined) throw new Error('No command asks yet');
    return login.code;
    // The command is a process of its own, which a busy machine starts late.
  }, 60_000);

it('a person allows a command in the browser, which then asks as that person until it logs out', async () => {
  const before = await callboard('pending');
  expect([before.code, before.stderr]).toEqual([2, expect.stringContaining(`Run callboard login ${address()}`)]);
  const waiting = callboard('login', '--scopes', 'read');
  const code = await openCode();
  await allowLogin(ann, code, { scopes: ['read'], project: null, days: 30 });
  const ended = await waiting;
  expect(ended).toEqual({
    code: 0,
    stdout: `Signed in at ${address()} as ann@cli.example. The token is in ${file()}\n`,
    stderr: `Open ${address()}/cli?code=${code}\nCompare the code there with this one: ${code}\nWaiting for 10 minutes …\nGit takes it as the password: git clone ${address()}/git/PROJECT.git\n`,
  });
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(file())).mode & 0o777).toBe(0o700);
  expect(await callboard('pending')).toEqual({ code: 0, stdout: '', stderr: 'No run waits for an answer.\n' });
  expect((await listOwnTokens(ann)).map(({ scopes }) => scopes)).toEqual([['read']]);
  expect(await callboard('logout')).toMatchObject({ code: 0, stdout: `Signed out of ${address()}.\n` });
  expect(await listOwnTokens(ann)).toEqual([]);
  expect(readFileSync(file(), 'utf8')).not.toContain('cb_');
  expect((await callboard('logout')).code).toBe(1);
});

it('a refused login keeps nothing', async () => {
  const waiting = callboard('login');
  await denyLogin(ann, await openCode());
  expect(await waiting).toMatchObject({ code: 1, stderr: expect.stringContaining('was refused in the browser') });
  expect((await callboard('pending')).code).toBe(2);
});

it('a token from stdin is tried and kept, and the latest login serves where no app runs', async () => {
  const token = await tokenFor(ann, ['read'], { name: 'typed' });
  const login = (input: string) =>
    new Promise<{ code: number | null; said: string }>((resolve, reject) => {
      const { CALLBOARD_APP: _none, ...rest } = variables();
      const child = spawn(process.execPath, ['bin/callboard.mjs', 'login', address(), '--token'], {
        env: { ...process.env, ...rest },
      });
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, said }));
      child.stdin.end(input);
    });
  expect(await login(token.slice(0, -1))).toMatchObject({ code: 2, said: expect.stringContaining('not all of it') });
  expect(await login(`${token}\n`)).toMatchObject({
    code: 0,
    said: expect.stringContaining(`Signed in at ${address()}`),
  });
  const { CALLBOARD_APP: _none, ...rest } = variables();
  expect((await callCallboard(['pending'], rest)).code).toBe(0);
  const [row] = (await listOwnTokens(ann)).filter(({ name }) => name === 'typed');
  await revokeOwnToken(ann, row?.id ?? '');
  const refused = await callCallboard(['pending'], rest);
  expect(refused.stderr).toMatch(
    /^This token was revoked\. Make a new one in your account in the browser, or with callboard login/,
  );
});

it('logins of several addresses stay apart, and a damaged file counts as none', async () => {
  const waiting = callboard('login');
  await allowLogin(ann, await openCode(), { scopes: ['read'], project: null, days: 30 });
  await waiting;
  const kept = JSON.parse(readFileSync(file(), 'utf8'));
  kept.logins['https://other.example'] = { token: 'other' };
  writeFileSync(file(), JSON.stringify(kept));
  expect((await callboard('logout')).code).toBe(0);
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({
    latest: 'https://other.example',
    logins: { 'https://other.example': { token: 'other' } },
  });
  writeFileSync(file(), '{');
  expect((await callboard('pending')).stderr).toContain('you are not signed in there');
});

it.each([
  [['login', 'nowhere'], "'nowhere' is no address of Callboard"],
  [['login', 'ftp://nowhere'], 'is no address of Callboard'],
  [['login', '--scopes', 'read,root'], "'root' is no scope"],
  [['logout', '--all'], 'Usage: callboard logout [URL]'],
])('the arguments %j are refused', async (args, sentence) => {
  expect(await callboard(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
});
