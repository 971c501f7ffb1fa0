import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { standBefore } from './web-front';

const maker = { createServer: http.createServer };
standBefore(maker as never);
let port = 0;
/** Answers without reading the body, as a route that refuses it does. */
const server: http.Server = (maker as { createServer: typeof http.createServer }).createServer((request, response) => {
  response.writeHead(request.url === '/taken' ? 200 : 413).end('said');
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
  vi.stubEnv('PORT', String(port));
});

afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

/** Sends the head of a request and the start of its body, and reads until the server has closed the connection. */
async function sendStart(path: string, headers: string): Promise<string> {
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers}\r\n\r\nabc`);
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text.toLowerCase();
}

test.each(['Content-Length: 1000000000000', 'Transfer-Encoding: chunked'])(
  'a refused body is not read to its end: %s',
  async (header) => {
    const answer = await sendStart('/api/v1/projects', header);
    expect(answer).toContain('http/1.1 413');
    expect(answer).toContain('connection: close');
    expect(answer).toContain('said');
  },
);

test('a client that sends a long body and then reads gets the refusal', async () => {
  const socket = net.connect(port, '127.0.0.1');
  const body = Buffer.alloc(1_000_000);
  socket.write(`POST /large HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 10000000\r\n\r\n`);
  socket.write(body);
  let text = '';
  for await (const chunk of socket) text += chunk;
  expect(text).toContain('HTTP/1.1 413');
});

test('a short body that is refused leaves the connection open, and so does one that is taken', async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const sockets = new Set<unknown>();
  const send = async (path: string, body: Buffer) => {
    const request = http.request({ port, host: '127.0.0.1', path, method: 'POST', agent });
    request.on('socket', (socket) => sockets.add(socket));
    request.end(body);
    const [response] = await once(request, 'response');
    response.resume();
    await once(response, 'end');
    return response.headers.connection;
  };
  expect(await send('/short', Buffer.alloc(1_000))).toBe('keep-alive');
  expect(await send('/taken', Buffer.alloc(200_000))).toBe('keep-alive');
  expect(await send('/short', Buffer.alloc(1_000))).toBe('keep-alive');
  expect(sockets.size).toBe(1);
  agent.destroy();
});
