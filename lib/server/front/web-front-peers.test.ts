import http from 'node:http';
import { duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clientAddress, clientHeader, isBehindTls } from '@/lib/server/client-address';
import { before, standBefore } from './web-front';

const port = 3999;
const open = 'callboard.example.org';
beforeEach(() => {
  vi.stubEnv('PORT', String(port));
  vi.stubEnv('CALLBOARD_HOST', '0.0.0.0');
  vi.stubEnv('CALLBOARD_PUBLIC_URL', `https://${open}`);
  vi.stubEnv('CALLBOARD_TRUSTED_PROXIES', '127.0.0.1,10.0.0.5');
});
afterEach(() => vi.unstubAllEnvs());

/** What the app sees: its answer is the request as it arrives there. */
const server = http.createServer(
  before((request, response) => {
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const seen = {
      client: clientAddress({ headers }),
      tls: isBehindTls({ headers }),
      way: [...headers].filter(([name]) => /forward|real-ip|middleware|callboard/.test(name)),
      raw: request.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()),
    };
    response.end(JSON.stringify(seen));
  }),
);

/** Sends a request over a connection whose other end has the address `peer`. */
async function ask(peer: string, lines: readonly string[], { line = 'GET /', local = '10.0.0.2' } = {}) {
  const [near, far] = duplexPair();
  server.emit('connection', Object.assign(far, { remoteAddress: peer, localAddress: local }));
  near.end(`${line} HTTP/1.1\r\n${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  const [head = '', body = ''] = (await text(near)).split('\r\n\r\n', 2);
  const status = Number(head.split(' ')[1]);
  return { status, location: /^location: (.*)$/im.exec(head)?.[1], body: body.replace(/^[0-9a-f]+\r\n/, '') };
}

async function seen(peer: string, lines: readonly string[]) {
  const { status, body } = await ask(peer, lines);
  return status === 200 ? JSON.parse(body.split('\r\n')[0] ?? '') : status;
}

it('through a trusted proxy the client is known, and every header that it forged is gone', async () => {
  const answer = await seen('10.0.0.5', [
    `Host: ${open}`,
    'X-Forwarded-For: 127.0.0.1, 203.0.113.7',
    'X-Forwarded-Proto: https',
    'X-Forwarded-Host: evil.example',
    'X-Forwarded-Port: 1',
    'Forwarded: for=127.0.0.1',
    'X-Real-IP: 127.0.0.1',
    'X-Middleware-Subrequest: proxy',
    `${clientHeader}: 127.0.0.1`,
    `${clientHeader}: ::1`,
  ]);
  expect(answer).toEqual({
    client: '203.0.113.7',
    tls: true,
    way: [
      [clientHeader, '203.0.113.7'],
      ['x-forwarded-for', '203.0.113.7'],
      ['x-forwarded-host', open],
      ['x-forwarded-proto', 'https'],
    ],
    raw: ['host', 'connection'],
  });
});

it('forwarded headers are removed unless a trusted proxy sent them', async () => {
  vi.stubEnv('CALLBOARD_PUBLIC_URL', `http://${open}`);
  const answer = await seen('203.0.113.7', [
    `Host: ${open}`,
    'X-Forwarded-For: 10.0.0.5',
    'X-Forwarded-Proto: https',
    `${clientHeader}: 127.0.0.1`,
  ]);
  expect(answer).toMatchObject({ client: '203.0.113.7', tls: false });
  expect(answer.way).toContainEqual(['x-forwarded-for', '203.0.113.7']);
  expect(answer.way).toContainEqual(['x-forwarded-proto', 'http']);
});

it('a request to a name of this machine is answered only if it comes from this machine', async () => {
  const local = [`Host: localhost:${port}`];
  expect(await seen('127.0.0.1', local)).toMatchObject({ client: '127.0.0.1', tls: false });
  expect(await seen('::ffff:127.0.0.1', local)).toMatchObject({ client: '127.0.0.1' });
  expect(await seen('::ffff:10.0.0.2', local)).toMatchObject({ client: '10.0.0.2' });
  expect((await ask('10.0.0.3', local)).body).toContain(`Open Callboard at https://${open}.`);
  const proxied = await ask('10.0.0.5', [...local, 'X-Forwarded-For: 203.0.113.7']);
  expect(proxied.status).toBe(403);
  expect(proxied.body).toContain('A reverse proxy must pass the Host header of the client on.');
});

it('an address of a network on which the app listens counts as a name of this machine', async () => {
  vi.stubEnv('CALLBOARD_HOST', '10.0.0.2');
  expect(await seen('10.0.0.2', [`Host: 10.0.0.2:${port}`])).toMatchObject({ client: '10.0.0.2' });
  expect((await ask('10.0.0.3', [`Host: 10.0.0.2:${port}`])).status).toBe(403);
  vi.stubEnv('CALLBOARD_HOST', 'fd00::2');
  expect(await seen('fd00::2', [`Host: [fd00::2]:${port}`])).toBe(403);
  const own = await ask('fd00::2', [`Host: [fd00::2]:${port}`], { local: 'fd00::2' });
  expect(own.status).toBe(200);
});

it('no other name and no other origin is answered, from wherever it comes', async () => {
  for (const peer of ['127.0.0.1', '10.0.0.5', '203.0.113.7']) {
    for (const lines of [
      ['Host: evil.example'],
      [`Host: 10.0.0.2:${port}`],
      [`Host: ${open}:8443`],
      [`Host: ${open}`, 'Origin: https://evil.example'],
      [`Host: ${open}`, `Origin: http://${open}`],
      [`Host: ${open}`, 'Sec-Fetch-Site: cross-site'],
    ]) {
      expect([peer, lines, (await ask(peer, lines)).status]).toEqual([peer, lines, 403]);
    }
  }
});

it('where the public address has TLS, a request without it is led there or refused', async () => {
  const plain = [`Host: ${open}`, 'X-Forwarded-Proto: http'];
  const led = await ask('10.0.0.5', plain, { line: 'GET //evil.example/p?a=b' });
  expect([led.status, led.location]).toEqual([308, `https://${open}/evil.example/p?a=b`]);
  expect((await ask('10.0.0.5', plain, { line: 'POST /sign-in' })).status).toBe(403);
  const direct = await ask('10.0.0.9', [`Host: ${open}`, 'X-Forwarded-Proto: https']);
  expect(direct.status).toBe(403);
  expect(direct.body).toContain('came without TLS from 10.0.0.9');
  expect(direct.body).toContain('name it in CALLBOARD_TRUSTED_PROXIES');
});

it('a change of the trusted proxies counts for the next request', async () => {
  vi.stubEnv('CALLBOARD_TRUSTED_PROXIES', '10.0.0.0/24');
  expect(await seen('10.0.0.9', [`Host: ${open}`, 'X-Forwarded-For: 203.0.113.7'])).toMatchObject({
    client: '203.0.113.7',
  });
});

it('a request for a WebSocket passes the guard and is answered as a plain request', async () => {
  const maker = { createServer: (...given: unknown[]) => http.createServer(given[0] as http.RequestListener) };
  standBefore(maker);
  const wrapped = maker.createServer((_request: http.IncomingMessage, response: http.ServerResponse) => {
    response.end('the app');
  });
  const upgraded: unknown[] = [];
  wrapped.on('upgrade', (request) => upgraded.push(request));
  await Promise.resolve();
  const answerTo = async (host: string) => {
    const [near, far] = duplexPair();
    wrapped.emit('connection', Object.assign(far, { remoteAddress: '127.0.0.1', setTimeout: () => far }));
    near.end(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    return await text(near);
  };
  expect(await answerTo('evil.example')).toMatch(/^HTTP\/1\.1 403 /);
  expect(await answerTo(open)).toMatch(/^HTTP\/1\.1 200 [\s\S]*the app/);
  expect(upgraded).toEqual([]);
});
