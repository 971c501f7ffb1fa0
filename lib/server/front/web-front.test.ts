import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { cookiePrefix } from '@/lib/server/accounts/cookie-names';
import { securityHeaders } from '@/lib/server/request-guard';
import { standBefore } from './web-front';

const maker = { createServer: http.createServer };
standBefore(maker as never);
let port = 0;
const server: http.Server = (maker as { createServer: typeof http.createServer }).createServer((request, response) => {
  if (request.url === '/own') response.setHeader('Content-Security-Policy', "default-src 'self'");
  response.writeHead(request.url?.includes('missing') ? 404 : 200).end(`${request.method}`);
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
  process.env.PORT = String(port);
});

afterAll(() => {
  delete process.env.PORT;
  server.closeAllConnections();
  server.close();
});

async function raw(
  line: string,
  host = `127.0.0.1:${port}`,
  rest = '\r\n',
): Promise<{ status: number; head: string; body: string }> {
  const socket = net.connect(port, '127.0.0.1');
  socket.end(`${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${rest}`);
  let text = '';
  for await (const chunk of socket) text += chunk;
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body };
}

const paths = ['/', '/api/v1/projects', '/_next/static/chunks/a.js', '/_next/missing', '/nowhere/missing'];

test.each(paths)('%s: a method nobody uses is a 405, the others are answered', async (path) => {
  for (const method of ['TRACE', 'PROPFIND', 'SEARCH', 'MKCOL', 'LOCK', 'PURGE', 'M-SEARCH']) {
    const { status, head, body } = await raw(`${method} ${path}`);
    expect([method, status]).toEqual([method, 405]);
    expect(head).toContain('allow: get, head, post');
    expect(body).toContain(`does not support the method ${method}`);
  }
  expect((await raw(`GET ${path}`)).body).toContain('GET');
  expect((await raw(`OPTIONS ${path}`)).status).toBe(path.includes('missing') ? 404 : 200);
});

test('an unused connection stays open for longer than a proxy keeps it', async () => {
  const agent = new http.Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const [response] = await once(http.get({ port, host: '127.0.0.1', agent }), 'response');
  response.resume();
  expect(response.headers['keep-alive']).toBe('timeout=75');
});

test('CONNECT and a word that is no method get no page', async () => {
  for (const line of ['CONNECT 127.0.0.1:1', 'CONNECT /']) expect((await raw(line)).head).toBe('');
  expect((await raw('NONSENSE /')).status).toBe(400);
});

test.each(paths)('%s: the guard is asked, and every answer has the security headers', async (path) => {
  const foreign = await raw(`GET ${path}`, 'evil.example');
  expect(foreign.status).toBe(403);
  const answers = [foreign, await raw(`GET ${path}`), await raw(`TRACE ${path}`)];
  for (const { head } of answers) {
    for (const [name, value] of Object.entries(securityHeaders)) {
      const isFree = name === 'Content-Security-Policy' && path.startsWith('/_next/static/');
      if (!isFree) expect(head).toContain(`${name}: ${value}`.toLowerCase());
    }
  }
});

test('addresses that open something are told to nobody, also by a refusal', async () => {
  for (const path of ['/share/aToken', '/share/run/anId', '/share/missing', '/oauth/mcp/callback?code=x']) {
    const answers = [await raw(`GET ${path}`), await raw(`TRACE ${path}`), await raw(`GET ${path}`, 'evil.example')];
    for (const { head } of answers)
      expect(head.match(/referrer-policy: [^\r]*/g)).toEqual(['referrer-policy: no-referrer']);
  }
  for (const path of ['/', '/shared/x', '/r/x?next=/share/x', '/own'])
    expect((await raw(`GET ${path}`)).head.match(/referrer-policy: [^\r]*/g)).toEqual(['referrer-policy: same-origin']);
});

test('an answer keeps the policy it has', async () => {
  expect((await raw('GET /own')).head).toContain("content-security-policy: default-src 'self'\r\n");
});

test('what is no address of ours is refused', async () => {
  for (const path of ['/api/v1/projects/%ff', '/p/%', '/%E0%A4%A?a=%20'])
    expect((await raw(`GET ${path}`)).status).toBe(400);
  expect((await raw('GET /p/%20?a=%zz')).status).toBe(200);
  expect((await raw('GET http://elsewhere/')).status).toBe(400);
  expect((await raw('OPTIONS *')).status).toBe(400);
});

test('a connection on which nothing moves is closed after a while', () => {
  expect(server.timeout).toBe(120_000);
});

test('a request behind a refused one on the same connection is answered', async () => {
  const socket = net.connect(port, '127.0.0.1');
  const head = (line: string, host: string) => `${line} HTTP/1.1\r\nHost: ${host}\r\n`;
  socket.write(`${head('POST /', 'evil.example')}Content-Length: 5\r\n\r\nhello`);
  socket.write(
    `${head('TRACE /', `127.0.0.1:${port}`)}\r\n${head('GET /', `127.0.0.1:${port}`)}Connection: close\r\n\r\n`,
  );
  let text = '';
  for await (const chunk of socket) text += chunk;
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 403', 'HTTP/1.1 405', 'HTTP/1.1 200']);
});

const withBody = (bytes: number, cookie = '') =>
  `Content-Length: ${bytes}\r\n${cookie === '' ? '' : `Cookie: ${cookie}\r\n`}\r\n${'x'.repeat(bytes)}`;

describe.each([
  ['with accounts', '1'],
  ['without accounts', ''],
])('%s', (_name, accounts) => {
  beforeEach(() => {
    vi.stubEnv('CALLBOARD_ACCOUNTS', accounts);
    vi.stubEnv('CALLBOARD_ACCOUNTS_KEY', 'a key');
    vi.stubEnv('CALLBOARD_OPEN', '');
    vi.stubEnv('CALLBOARD_DATA', '/nowhere');
  });
  afterEach(() => vi.unstubAllEnvs());

  test.each(['/', '/sign-in', '/answer/x', '/share/run/x', '/_next/static/x', '/api', '/git/x/y', '/v1/traces/x'])(
    '%s takes no more than a form from somebody who has not signed in',
    async (path) => {
      expect((await raw(`POST ${path}`, undefined, withBody(32 * 1024))).status).toBe(200);
      const long = await raw(`POST ${path}`, undefined, withBody(32 * 1024 + 1, 'a=b'));
      expect(long.status).toBe(413);
      expect(long.body).toContain('Sign in first: without a sign-in, a page takes at most 32 KiB.');
      const unknown = await raw(`POST ${path}`, undefined, 'Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n');
      expect(unknown.status).toBe(411);
    },
  );

  test.each(['/api/v1/projects', '/api/v1/projects/a%20b/files', '/git/x/git-receive-pack', '/v1/traces', '/v1/logs'])(
    '%s reads its body itself',
    async (path) => {
      expect((await raw(`POST ${path}`, undefined, withBody(40_000))).status).toBe(200);
    },
  );
});

test('a page takes more from a browser that has signed in', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('CALLBOARD_OPEN', '1');
  expect((await raw('POST /', undefined, withBody(40_000))).status).toBe(200);
  vi.stubEnv('CALLBOARD_ACCOUNTS', '1');
  vi.stubEnv('CALLBOARD_ACCOUNTS_KEY', 'a key');
  const cookie = (key: string) =>
    `${cookiePrefix()}.session_token=abc.${encodeURIComponent(createHmac('sha256', key).update('abc').digest('base64'))}`;
  expect((await raw('POST /', undefined, withBody(40_000, cookie('a key')))).status).toBe(200);
  expect((await raw('POST /', undefined, withBody(40_000, cookie('another key')))).status).toBe(413);
});
