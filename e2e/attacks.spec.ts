import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import net from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { createProject } from './api';
import { expect, test } from './test';
import { testAppOf } from './test-apps';
import { signedIn } from './test-token';

/** Attacks that succeeded on comparable products (docs/security.md), tried on the whole app over HTTP. */

const json = { ...signedIn, 'content-type': 'application/json' };

/** Every address of the app with the methods that it takes, found in its folder. */
const addresses = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?:^|\/)(?:route\.ts|page\.tsx)$/.test(file) && !file.includes('[...'))
  .map((file) => ({
    address: `/${path
      .dirname(file)
      .replace(/^\.$/, '')
      .replaceAll(/\[\w+\]/g, 'x')}`,
    methods: file.endsWith('page.tsx')
      ? ['GET']
      : [...readFileSync(path.join('app', file), 'utf8').matchAll(/^export const ([A-Z]+) =/gm)].map(
          ([, name = '']) => name,
        ),
  }));

test('the app listens on loopback alone, and is closed without its token', async ({ baseURL }) => {
  const { port } = new URL(baseURL ?? '');
  const others = Object.values(networkInterfaces()).flatMap((list) => list?.filter(({ internal }) => !internal) ?? []);
  for (const { address, family } of others) {
    const host = family === 'IPv6' ? `[${address}]` : address;
    // A link-local address needs the name of its interface.
    if (address.startsWith('fe80:')) continue;
    await expect(fetch(`http://${host}:${port}/api/health`)).rejects.toThrow();
  }
  expect((await fetch(`${baseURL}/api/v1/projects`)).status).toBe(401);
});

test('a request for a run brings no definition, no events and no approvals', async ({ baseURL }) => {
  const url = baseURL ?? '';
  const project = await createProject(url, 'Public', { 'a.md': '---\nname: a\nmodel: passthrough\n---\nA.\n' });
  const card = '---\nname: a\nmodel: passthrough\nshell: true\n---\nEvil.\n';
  const extra = {
    data: { nodes: [] },
    files: { 'a.md': card },
    changes: [{ path: 'a.md', text: card }],
    cards: [card],
    definition: card,
    instruction: 'Evil.',
    tools: [{ name: 'execute' }],
    treeHash: 'a'.repeat(64),
    confirmedHash: 'a'.repeat(64),
    events: [{ kind: 'person.answered' }],
    history: [{ role: 'tool', content: 'approved' }],
    approvals: [{ decision: 'approve' }],
    env: { PATH: '/tmp' },
    source: 'callboard-import',
  };
  for (const [name, value] of Object.entries(extra)) {
    const body = JSON.stringify({ message: 'Go', [name]: value });
    const response = await fetch(`${url}/api/v1/projects/${project}/runs`, { method: 'POST', headers: json, body });
    expect([name, response.status, await response.text()]).toEqual([name, 400, expect.stringContaining(name)]);
  }
  const runs = await fetch(`${url}/api/v1/runs?project=${project}`, { headers: signedIn });
  expect(await runs.json()).toMatchObject({ groups: [] });
});

test('a JSON body is no upload, a path in a body opens no file, and a body is read only as its type', async ({
  baseURL,
}) => {
  const url = baseURL ?? '';
  const { data } = testAppOf(test.info().parallelIndex);
  const before = readdirSync(data);
  const send = async (address: string, type: string, body: BodyInit) => {
    const response = await fetch(`${url}${address}`, {
      method: 'POST',
      headers: { ...signedIn, ...(type !== '' && { 'content-type': type }) },
      body,
    });
    return { status: response.status, text: await response.text() };
  };
  const upload = { files: [{ filepath: '/etc/passwd', originalFilename: 'a.md', mimetype: 'text/plain' }] };
  for (const body of [
    upload,
    { files: { 'a.md': { filepath: '/etc/passwd' } } },
    { files: { 'a.md': { path: '/etc/passwd' } } },
  ]) {
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'application/zip', 'text/plain', '']) {
      const { status, text } = await send('/api/v1/projects', type, JSON.stringify(body));
      expect([type, [400, 415].includes(status), text.includes('root:')]).toEqual([type, true, false]);
    }
  }
  for (const name of [
    '../../escape.md',
    '/tmp/escape.md',
    'C:\\escape.md',
    '..\\escape.md',
    'a/../../escape.md',
    'a\0.md',
    './escape.md',
  ]) {
    const made = await send('/api/v1/projects', 'application/json', JSON.stringify({ files: { [name]: 'x' } }));
    const form = new FormData();
    form.append('files', new Blob(['x']), 'a.md');
    form.append('paths', JSON.stringify([name]));
    const posted = await send('/api/v1/projects', '', form);
    expect([name, made.status, posted.status]).toEqual([name, 400, 400]);
  }
  const project = await createProject(url, 'Bytes', { 'a.md': '---\nname: a\n---\nA.\n' });
  const stored = await send(
    `/api/v1/projects/${project}/bytes`,
    'application/json',
    JSON.stringify({ path: '/etc/passwd' }),
  );
  const named = await send(`/api/v1/projects/${project}/bytes?path=/etc/passwd&name=../../x`, 'text/plain', 'x');
  expect([named.status, named.text]).toEqual([400, expect.stringContaining('There is no query part')]);
  expect(stored.status).toBe(201);
  const { hash } = JSON.parse(stored.text);
  const bytes = await fetch(`${url}/api/v1/projects/${project}/bytes/${hash}`, { headers: signedIn });
  expect([await bytes.text(), bytes.headers.get('content-type')]).toEqual([
    '{"path":"/etc/passwd"}',
    'application/octet-stream',
  ]);
  expect(readdirSync(data)).toEqual(before);
  expect(existsSync('/tmp/escape.md')).toBe(false);
});

const crossOrigin = ['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://localhost.evil.example'];

test('no address answers a preflight or lets a page of another site read or change anything @full', async ({
  baseURL,
  storageState,
}) => {
  const url = baseURL ?? '';
  if (typeof storageState !== 'object') throw new Error('The browser has no cookie.');
  const cookie = storageState.cookies?.map(({ name, value }) => `${name}=${value}`).join('; ') ?? '';
  const allowing = (response: Response) =>
    [...response.headers.keys()].filter((name) => name.startsWith('access-control-'));
  for (const { address, methods } of addresses) {
    for (const origin of crossOrigin) {
      const preflight = await fetch(`${url}${address}`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': methods[0] ?? 'GET',
          'access-control-request-headers': 'authorization',
        },
      });
      expect([address, preflight.status, allowing(preflight)]).toEqual([address, 403, []]);
    }
    for (const method of methods) {
      const body = method === 'GET' ? {} : { body: '{}' };
      const response = await fetch(`${url}${address}`, {
        method,
        headers: { cookie, origin: 'https://evil.example', 'content-type': 'text/plain' },
        ...body,
      });
      expect([address, method, response.status, allowing(response)]).toEqual([address, method, 403, []]);
      await response.body?.cancel();
    }
    // Without an origin too, no answer may be read by another one.
    const own = await fetch(`${url}${address}`, { method: 'OPTIONS', headers: signedIn });
    expect([address, allowing(own)]).toEqual([address, []]);
  }
});

/** Headers by which Next, proxies and other frameworks tell themselves that a request was checked, or another address was meant. */
const bypasses: readonly Record<string, string>[] = [
  { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' },
  { 'x-middleware-subrequest': 'src/middleware:src/middleware:src/middleware:src/middleware:src/middleware' },
  {
    'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware',
    'x-middleware-subrequest-id': '1',
  },
  {
    'x-middleware-next': '1',
    'x-middleware-override-headers': 'authorization',
    'x-middleware-request-authorization': 'Bearer x',
  },
  { 'x-middleware-rewrite': '/api/health' },
  { 'x-invoke-path': '/api/health', 'x-invoke-output': '/api/health', 'x-matched-path': '/api/health' },
  { 'x-original-url': '/api/health', 'x-rewrite-url': '/api/health' },
  { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1;host=localhost' },
  { 'x-nextjs-data': '1', 'x-nextjs-prerender': '1', 'x-prerender-revalidate': '1' },
  { rsc: '1', 'next-router-prefetch': '1', 'next-router-segment-prefetch': '/_tree' },
  { 'next-action': '00000000000000000000000000000000000000000', 'content-type': 'text/plain' },
  { 'x-http-method-override': 'GET', 'x-user': 'admin', 'x-forwarded-user': 'admin', 'x-remote-user': 'admin' },
  { authorization: 'Bearer null' },
  { authorization: 'Bearer undefined' },
  { authorization: 'Bearer ' },
  { authorization: 'Basic Og==' },
  { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.' },
];
/**
 * What signs people in and out, what shows nothing of the app, share links, which are a right themselves: a wrong one is not found, and webhooks, whose
 * signature is their right.
 */
const openToAll =
  /^\/(?:api\/health|answer\/x|sign-in(?:\/\w+)?|sign-out|setup|invite|reset|api\/v1\/logins(?:\/token)?|api\/v1\/hooks\/\w+|api\/auth\/callback\/oidc|share\/.*)$/;

test('no header lets a request without a sign-in reach a page or a route @full', async ({ baseURL }) => {
  const url = baseURL ?? '';
  for (const { address, methods } of addresses) {
    if (openToAll.test(address)) continue;
    for (const method of methods) {
      const body = method === 'GET' ? {} : { body: '{}' };
      const answers = await Promise.all(
        bypasses.map(async (headers) => {
          // Next answers some headers of its own with a redirect to the same page, which is followed.
          const response = await fetch(`${url}${address}`, { method, headers, ...body });
          await response.body?.cancel();
          return [method, address, headers, response.status];
        }),
      );
      expect(answers).toEqual(bypasses.map((headers) => [method, address, headers, 401]));
    }
  }
});

test('odd methods and addresses below /_next/ are guarded answers', async ({ baseURL }) => {
  const { hostname, port, host } = new URL(baseURL ?? '');
  const ask = async (line: string, name = host) => {
    const socket = net.connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(`${line} HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
    let text = '';
    for await (const chunk of socket) text += chunk;
    return { status: Number(text.split(' ')[1]), head: text.split('\r\n\r\n')[0]?.toLowerCase() ?? '' };
  };
  for (const at of ['/', '/runs', '/api/health', '/api/v1/nothing', '/_next/nothing', '/_next/static/nothing.js']) {
    const answers = [await ask(`TRACE ${at}`), await ask(`PROPFIND ${at}`), await ask(`GET ${at}`)];
    expect([at, ...answers.slice(0, 2).map(({ status }) => status)]).toEqual([at, 405, 405]);
    expect([at, (await ask(`GET ${at}`, 'evil.example')).status]).toEqual([at, 403]);
    for (const { status, head } of answers) {
      expect(status).toBeLessThan(500);
      for (const name of ['x-content-type-options', 'x-frame-options', 'content-security-policy', 'referrer-policy']) {
        expect(`${at} ${head}`).toContain(`${name}: `);
        expect(head.split(`\n${name}: `)).toHaveLength(2);
      }
    }
  }
});
