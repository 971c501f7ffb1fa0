import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unstable_doesMiddlewareMatch as proxySees } from 'next/experimental/testing/server';
import { NextRequest } from 'next/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cookieValue } from '@/lib/server/access';
import { ensureAccessToken } from '@/lib/server/access-token';
import { config, proxy } from '@/proxy';

/** Every address of the app, found in its folder: one that is added is guarded too, or a test here fails. */
const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).map((file) =>
  file.split(path.sep).join('/'),
);
const addressOf = (file: string) => `/${path.posix.dirname(file).replace(/\[+[^\]]+\]+/g, 'x')}`.replace('/.', '/');
const routes = files.filter((file) => path.posix.basename(file) === 'route.ts');
/** Its page needs the cookie of a link. */
const sharedPage = '/share/run/x';
const pages = files
  .filter((file) => /^(?:page|default)\.tsx$/.test(path.posix.basename(file)))
  .map(addressOf)
  .filter((address) => address !== sharedPage);

/** What needs no sign-in: a signed link to one question, a link to one run, whether Callboard lives, what signs people in and out, and commands that ask for a token. */
const openRoutes = [
  'answer/[link]/route.ts',
  'api/auth/callback/oidc/route.ts',
  'api/health/route.ts',
  'api/v1/hooks/[hook]/route.ts',
  'api/v1/logins/route.ts',
  'api/v1/logins/token/route.ts',
  'invite/route.ts',
  'reset/route.ts',
  'setup/route.ts',
  'share/[token]/route.ts',
  'sign-in/code/route.ts',
  'sign-in/passkey/route.ts',
  'sign-in/provider/route.ts',
  'sign-in/route.ts',
  'sign-out/route.ts',
];

let folder = '';
let cookie = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'callboard-guarded-'));
  vi.stubEnv('CALLBOARD_OPEN', '');
  vi.stubEnv('CALLBOARD_DATA', folder);
  vi.stubEnv('PORT', '3000');
  cookie = `callboard_3000=${cookieValue(ensureAccessToken(folder), 3000)}`;
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const ask = (address: string, method: string, headers: Record<string, string> = {}) =>
  new NextRequest(`http://127.0.0.1:3000${address}`, { method, headers: { host: '127.0.0.1:3000', ...headers } });

test.each(routes.filter((file) => !openRoutes.includes(file)))('every method of %s needs a sign-in', async (file) => {
  const handlers: Record<string, unknown> = await import(path.join(import.meta.dirname, file));
  const methods = Object.entries(handlers).filter(([name]) => /^[A-Z]+$/.test(name));
  expect(methods).not.toEqual([]);
  for (const [method, handler] of methods) {
    if (typeof handler !== 'function') throw new Error(`${method} is no handler`);
    const context = { params: Promise.resolve({ project: 'x', run: 'x', seq: '1', sample: 'x', rest: ['x'] }) };
    const response: Response = await handler(ask(addressOf(file), method), context);
    // Git shows plain text, and sends a token only when it is asked for a password.
    const isGit = file.startsWith('git/');
    const sentence = expect.stringContaining('npx callboard token');
    expect([method, response.status, isGit ? await response.text() : await response.json()]).toEqual([
      method,
      401,
      isGit ? sentence : { error: { code: 'not_signed_in', message: sentence } },
    ]);
    expect(response.headers.get('www-authenticate')).toBe(
      isGit ? 'Basic realm="Callboard", charset="UTF-8"' : 'Bearer realm="Callboard"',
    );
    const foreign: Response = await handler(ask(addressOf(file), method, { host: 'evil.example', cookie }), context);
    expect([method, foreign.status]).toEqual([method, 403]);
  }
});

test('nothing but the listed routes is open', () => {
  expect(routes.filter((file) => openRoutes.includes(file)).sort()).toEqual(openRoutes);
  expect(pages).toEqual(expect.arrayContaining(['/', '/runs', '/settings', '/p/x', '/r/x']));
});

const odd = [
  '/none',
  '/_next/image?url=/x',
  '/_next/data/x/index.json',
  '/api',
  '/icon.svg.rsc',
  '/logo.svg/x',
  '/p/x.rsc',
];

test.each([...pages, ...odd])('the address %s needs a sign-in', async (address) => {
  expect(proxySees({ config, url: address })).toBe(true);
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']) {
    const response = await proxy(ask(address, method));
    expect([method, response.status, response.headers.get('content-type')]).toEqual([
      method,
      401,
      'text/html; charset=utf-8',
    ]);
  }
  expect((await proxy(ask(address, 'GET', { cookie }))).status).toBe(200);
  expect((await proxy(ask(address, 'GET', { cookie, host: 'evil.example:3000' }))).status).toBe(403);
  const form = { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  expect((await proxy(ask(address, 'POST', form))).status).toBe(403);
});

test.each(['/icon.svg', '/logo.svg', '/_next/static/chunks/x.js'])('%s is the same for everybody', (address) => {
  expect(proxySees({ config, url: address })).toBe(false);
});

test('the proxy passes on only the three addresses of git, which guard themselves', () => {
  for (const address of ['/git/x.git/info/refs', '/git/x/git-upload-pack', '/git/x.git/git-receive-pack']) {
    expect([address, proxySees({ config, url: address })]).toEqual([address, false]);
  }
  for (const address of ['/git', '/git/x', '/git/x/y/info/refs', '/git/x/info/refs/y', '/x/git/x/info/refs']) {
    expect([address, proxySees({ config, url: address })]).toEqual([address, true]);
  }
});

test('the page of a share link opens nothing without its cookie, also for people who are signed in', async () => {
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']) {
    const signedIn: readonly Record<string, string>[] = [{}, { cookie }];
    for (const headers of signedIn) {
      const response = await proxy(ask(sharedPage, method, headers));
      expect([method, response.status]).toEqual([method, 404]);
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    }
  }
  expect((await proxy(ask(sharedPage, 'GET', { cookie, host: 'evil.example:3000' }))).status).toBe(403);
});
