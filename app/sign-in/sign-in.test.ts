import { mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dark, light } from '@/app/plain-page';
import { cookieValue } from '@/lib/server/access';
import { accessTokenFile, ensureAccessToken, replaceAccessToken } from '@/lib/server/access-token';
import { POST } from './route';
import { attempts, ownPath, servePageAccess, serveSignIn } from './sign-in';

let folder = '';
let token = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'callboard-sign-in-'));
  token = ensureAccessToken(folder);
  attempts.failedAtMs = [];
  vi.stubEnv('CALLBOARD_OPEN', '');
  vi.stubEnv('CALLBOARD_DATA', folder);
  vi.stubEnv('PORT', '3000');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const host = '127.0.0.1:3000';
const cookie = () => `callboard_3000=${cookieValue(token, 3000)}`;
const page = (address: string, headers: Record<string, string> = {}) =>
  servePageAccess(
    { method: 'GET', headers: new Headers({ host, ...headers }) },
    new URL(address, 'http://127.0.0.1:3000'),
  );
const submit = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  POST(
    new Request('http://127.0.0.1:3000/sign-in', {
      method: 'POST',
      headers: { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin', ...headers },
      body: new URLSearchParams(fields),
    }),
    { params: Promise.resolve({}) },
  );
const led = (response: Response | undefined) => [
  response?.status,
  response?.headers.get('location'),
  response?.headers.get('set-cookie')?.split(';')[0] ?? null,
];

test('the printed address signs in and leads to an address without the token', () => {
  const response = page(`/?token=${token}`);
  expect(led(response)).toEqual([303, `http://${host}/`, cookie()]);
  expect(response?.headers.get('cache-control')).toBe('no-store');
});

test('any page opens with the token, at the host it was asked at, with the rest of its query', () => {
  const opened = page(`/r/abc?at=5&token=${token}&name=a%20b`, { host: 'localhost:3000' });
  expect(led(opened)).toEqual([303, 'http://localhost:3000/r/abc?at=5&name=a+b', cookie()]);
});

test('a signed-in browser sees the page; an old bookmark with a token only loses the token', () => {
  expect(page('/p/abc', { cookie: cookie() })).toBeUndefined();
  expect(led(page('/p/abc?token=old', { cookie: cookie() }))).toEqual([303, `http://${host}/p/abc`, null]);
  expect(led(page('/sign-in', { cookie: cookie() }))).toEqual([303, `http://${host}/`, null]);
});

test('without the cookie there is a page that says how to sign in, and nothing of the app', async () => {
  const response = page('/p/abc?x=%22%3E%3Cscript%3E');
  const text = (await response?.text()) ?? '';
  expect(response?.status).toBe(401);
  expect(response?.headers.get('www-authenticate')).toBe('Bearer realm="Callboard"');
  expect(text).toContain('npx callboard token');
  expect(text).toContain('name="to" value="/p/abc?x=%22%3E%3Cscript%3E"');
  expect(text).not.toMatch(/_next|<script>/);
  expect(response?.headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
});

test('a wrong token in the address is said to be wrong, and is not repeated', async () => {
  const text = (await page('/?token=guessed-token')?.text()) ?? '';
  expect(text).toContain('The latest start has printed the right one.');
  expect(text).not.toContain('guessed-token');
});

test.each([
  ['the token', () => token],
  ['the token with spaces', () => ` ${token}\n`],
  ['the printed address', () => `http://127.0.0.1:3000/?token=${token}`],
  ['the printed lines', () => `Open this address:\nhttp://127.0.0.1:3000/?token=${token}\n`],
])('the form takes %s and leads to the page that was asked for', async (_what, text) => {
  expect(led(await submit({ token: text(), to: '/runs?status=failed' }))).toEqual([
    303,
    `http://${host}/runs?status=failed`,
    cookie(),
  ]);
});

test('the form says of 20 wrong tokens in a minute that they are wrong, and refuses further ones', async () => {
  const page = readFileSync('docs/limits.md', 'utf8');
  const most = Number(/Without accounts, (\d+) wrong access tokens in a minute/.exec(page)?.[1]);
  const wrong = () => serveSignIn({ method: 'POST', headers: new Headers({ host }) }, 'wrong', '/', 1_000);
  expect(await wrong().text()).toContain('That is not the token');
  const statuses = Array.from({ length: most + 4 }, () => wrong().status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(most - 1);
  expect(statuses.at(-1)).toBe(429);
  // The owner is not locked out by somebody who guesses.
  const right = serveSignIn({ method: 'POST', headers: new Headers({ host }) }, token, '/', 1_000);
  expect(right.status).toBe(303);
  expect(serveSignIn({ method: 'POST', headers: new Headers({ host }) }, 'wrong', '/', 62_000).status).toBe(401);
});

test.each([
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a page on another port', { origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-site' }],
  ['a rebound name', { host: 'evil.example:3000' }],
])('a form of %s signs nobody in', async (_what, headers) => {
  expect(led(await submit({ token }, headers))).toEqual([403, null, null]);
});

test.each([
  ['/p/abc?tab=run', '/p/abc?tab=run'],
  ['/r/x?token=secret', '/r/x'],
  ['https://evil.example/', '/'],
  ['//evil.example/', '/'],
  ['/\\evil.example/', '/'],
  ['\\\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['/sign-in', '/'],
  ['/a\r\nSet-Cookie: x=1', '/aSet-Cookie:%20x=1'],
  ['', '/'],
])('after signing in %j leads to %s', (to, path) => {
  expect(ownPath(to)).toBe(path);
});

test('at the public address the redirect stays there, and the cookie goes over TLS alone', () => {
  vi.stubEnv('CALLBOARD_PUBLIC_URL', 'https://callboard.example.org');
  const response = page(`/inbox?item=x&token=${token}`, { host: 'callboard.example.org' });
  expect(response?.headers.get('location')).toBe('https://callboard.example.org/inbox?item=x');
  expect(response?.headers.get('set-cookie')).toMatch(/; Secure$/);
  expect(page(`/?token=${token}`)?.headers.get('set-cookie')).not.toContain('Secure');
});

test('an address with two slashes leads to our own host', () => {
  expect(led(page(`http://127.0.0.1:3000//evil.example/?token=${token}`))[1]).toBe(`http://${host}/evil.example/`);
});

test('a new token counts at once, and a removed one signs everybody out', async () => {
  const before = cookie();
  expect(page('/', { cookie: before })).toBeUndefined();
  const next = replaceAccessToken(folder);
  expect(page('/', { cookie: before })?.status).toBe(401);
  expect(page('/', { authorization: `Bearer ${next}` })).toBeUndefined();
  unlinkSync(accessTokenFile(folder));
  const closed = page('/', { authorization: `Bearer ${next}` });
  expect([closed?.status, await closed?.text()]).toEqual([401, expect.stringContaining('Start Callboard again')]);
  writeFileSync(accessTokenFile(folder), 'not a token');
  expect(page('/', { authorization: 'Bearer not a token' })?.status).toBe(401);
});

test('CALLBOARD_OPEN=1 asks nobody', () => {
  vi.stubEnv('CALLBOARD_OPEN', '1');
  expect(page('/p/abc')).toBeUndefined();
  expect(led(page('/?token=old'))).toEqual([303, `http://${host}/`, null]);
});

test('the page has the colours of the app', () => {
  const css = readFileSync('app/globals.css', 'utf8');
  const [, ofLight = '', ofDark = ''] = /:root \{(.*?)\}.*?\[data-theme="dark"\] \{(.*?)\}/s.exec(css) ?? [];
  for (const [tokens, block] of [
    [light, ofLight],
    [dark, ofDark],
  ] as const) {
    for (const [name, value] of Object.entries(tokens)) expect(block).toContain(`--${name}: ${value};`);
  }
});
