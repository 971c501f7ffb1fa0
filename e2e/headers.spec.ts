import { readdirSync, readFileSync } from 'node:fs';
import { request as send } from 'node:http';
import path from 'node:path';
import { exampleFiles } from './api';
import { type AppProcess, startApp } from './app-process';
import { expect, test } from './test';
import { signedIn, testToken } from './test-token';

/** Asks every page, route and file of a running app behind a proxy with TLS, and looks at the headers alone. */

test.describe.configure({ mode: 'serial' });

const name = 'callboard.example.org';
let app: AppProcess;
let project = '';
let run = '';

test.beforeAll(async () => {
  app = await startApp({ CALLBOARD_PUBLIC_URL: `https://${name}` });
  const json = { ...signedIn, 'content-type': 'application/json' };
  const post = async (at: string, body: unknown) =>
    (await fetch(`${app.url}${at}`, { method: 'POST', headers: json, body: JSON.stringify(body) })).json();
  ({ id: project } = await post('/api/v1/projects', { name: 'Walked', files: exampleFiles('pmo') }));
  ({ runId: run } = await post(`/api/v1/projects/${project}/runs`, { message: 'Go' }));
});
test.afterAll(async () => {
  await app.stop();
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Sends a request as a proxy that ends TLS does. Resolves with the head: a stream has no end. */
function ask(
  address: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: Buffer } = {},
): Promise<Answer> {
  const forwarded = { host: name, 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' };
  return new Promise((resolve, reject) => {
    const request = send(`${app.url}${address}`, { method, headers: { ...forwarded, ...headers } }, (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
      response.destroy();
    });
    request.on('error', reject);
    request.end(body);
  });
}

const onAll = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': expect.stringContaining('camera=()'),
  'strict-transport-security': 'max-age=31536000',
};

/** Below these addresses are pages of share links and of sign-ins at MCP servers. Their own addresses open something. */
const untold = /^(?:[A-Z]+ )?\/(?:share|oauth)\//;

function expectHeaders(address: string, { status, headers }: Answer): void {
  expect({ address, status, ...headers }).toMatchObject(onAll);
  expect([address, headers['referrer-policy']]).toEqual([
    address,
    untold.test(address) ? 'no-referrer' : 'same-origin',
  ]);
  expect(headers['x-powered-by'], address).toBeUndefined();
  const policy = String(headers['content-security-policy']);
  expect(policy, `${address} ${status}`).toMatch(/frame-ancestors 'none'/);
  expect(policy, address).not.toMatch(/script-src[^;]*'unsafe-/);
}

/** Every address with its methods. Those with a project or a run name real ones. */
function addresses(): readonly { readonly address: string; readonly methods: readonly string[] }[] {
  const known: Readonly<Record<string, string>> = { project, run };
  return readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?:^|\/)(?:route\.ts|page\.tsx)$/.test(file) && !file.includes('[...'))
    .map((file) => ({
      address: `/${path
        .dirname(file)
        .replace(/^\.$/, '')
        .replaceAll(/\[(\w+)\]/g, (_, part: string) => known[part] ?? 'x')}`,
      methods: file.endsWith('page.tsx')
        ? ['GET', 'HEAD']
        : [...readFileSync(path.join('app', file), 'utf8').matchAll(/^export const ([A-Z]+) =/gm)].map(
            ([, method = '']) => method,
          ),
    }));
}

test('every page and route has the security headers, signed in and not @full', async () => {
  const all = addresses();
  expect(all.length).toBeGreaterThan(60);
  const statuses = new Set<number>();
  for (const { address, methods } of all) {
    for (const method of methods) {
      // Without a body nothing is made or changed, and DELETE would take away what others ask for.
      const allowed = method === 'DELETE' ? [{}] : [{}, signedIn];
      for (const headers of allowed) {
        const answer = await ask(address, { method, headers });
        expectHeaders(`${method} ${address}`, answer);
        statuses.add(answer.status);
      }
    }
  }
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 404]));
});

test('errors, redirects, files and downloads have them too', async () => {
  const json = { ...signedIn, 'content-type': 'application/json' };
  const large = Buffer.alloc(26 * 1024 * 1024, 32);
  const cases: readonly (readonly [number, string, Parameters<typeof ask>[1]?])[] = [
    [404, '/no/such/page', { headers: signedIn }],
    [404, '/api/v1/runs/none', { headers: signedIn }],
    [404, '/_next/static/none.js'],
    [400, '/api/v1/runs/%', { headers: signedIn }],
    [413, '/api/v1/projects', { method: 'POST', headers: json, body: large }],
    [405, '/', { method: 'PROPFIND' }],
    [403, '/', { headers: { host: 'evil.example' } }],
    [403, '/', { headers: { origin: 'https://evil.example' } }],
    [200, '/logo.svg'],
    [200, '/api/health'],
    [200, '/api/v1/audit/export', { headers: signedIn }],
    [200, '/api/v1/runs/export', { headers: signedIn }],
    [200, `/api/v1/runs/${run}/export?as=events`, { headers: signedIn }],
    [200, '/api/v1/pending/stream', { headers: signedIn }],
  ];
  for (const [status, address, options] of cases) {
    const answer = await ask(address, options);
    expect([address, answer.status]).toEqual([address, status]);
    const isRefusedName = options?.headers?.host !== undefined;
    if (isRefusedName) expect(answer.headers['strict-transport-security']).toBeUndefined();
    else expectHeaders(address, answer);
  }
});

test('a page allows scripts by the nonce of its response, and another one the next time', async () => {
  const read = async () =>
    /script-src 'self' 'nonce-(\w+)'(?:;|$)/.exec(
      String((await ask('/', { headers: signedIn })).headers['content-security-policy']),
    )?.[1];
  const [first, second] = [await read(), await read()];
  expect(first).toMatch(/^\w{32}$/);
  expect(second).not.toBe(first);
});

test('cookies are closed to scripts and other sites, and Secure behind TLS; without TLS nothing speaks of it', async () => {
  const entry = `/?token=${testToken}`;
  const cookies = (await ask(entry)).headers['set-cookie'] ?? [];
  expect(cookies).toHaveLength(1);
  expect(cookies[0]).toMatch(/HttpOnly; SameSite=\w+.*; Secure/);
  const plain = await fetch(`${app.url}${entry}`, { redirect: 'manual' });
  expect(plain.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=/);
  expect(plain.headers.get('set-cookie')).not.toContain('Secure');
  expect(plain.headers.get('strict-transport-security')).toBeNull();
  const downgraded = await ask('/', { headers: { 'x-forwarded-proto': 'http' } });
  expect([downgraded.status, downgraded.headers.location]).toEqual([308, `https://${name}/`]);
  expect(downgraded.headers['strict-transport-security']).toBeUndefined();
});
