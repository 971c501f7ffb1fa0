import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { securityHeaders } from './request-guard';
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

async function raw(line: string, host = `127.0.0.1:${port}`): Promise<{ status: number; head: string; body: string }> {
  const socket = net.connect(port, '127.0.0.1');
  socket.end(`${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
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

test('an answer keeps the policy it has', async () => {
  expect((await raw('GET /own')).head).toContain("content-security-policy: default-src 'self'\r\n");
});

test('what is no address of ours is refused', async () => {
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
