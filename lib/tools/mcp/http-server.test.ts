import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { ServerConfig } from '@/lib/cards/config';
import { systemClock } from '@/lib/jobs/system-clock';
import type { LogBody } from '@/lib/runtime/ports';
import { textOf } from '@/lib/runtime/record/messages';
import { agentCard } from '@/lib/testing/graph-of';
import { callContext, configOf, toolNamed } from '@/lib/testing/mcp-servers';
import { createMcpPool, type McpPool } from './pool';

let pool: McpPool;
let logs: LogBody[];
let servers: http.Server[];
const seenHeaders: http.IncomingHttpHeaders[] = [];
const signal = new AbortController().signal;
const card = agentCard('lead', { servers: ['web'] });

beforeEach(() => {
  logs = [];
  servers = [];
  pool = newPool();
});

function newPool(options: { connectTimeoutMs?: number } = {}): McpPool {
  return createMcpPool({
    clock: systemClock,
    log: (body) => logs.push(body),
    env: {},
    projectEnv: { TOKEN: 'hush-hush-hush' },
    ...options,
  });
}

async function hurriedPool(): Promise<void> {
  await pool.close();
  pool = newPool({ connectTimeoutMs: 500 });
}

afterEach(async () => {
  await pool.close();
  for (const server of servers) await stop(server);
});

function mcp(): McpServer {
  const server = new McpServer({ name: 'web', version: '1' }, { capabilities: { tools: { listChanged: true } } });
  server.registerTool('greet', { inputSchema: { name: z.string() } }, ({ name }) => text(`Hello ${name}`));
  server.registerTool('headers', {}, ({ requestInfo }) => text(JSON.stringify(requestInfo?.headers)));
  server.registerTool('hang', {}, () => new Promise(() => undefined));
  server.registerTool('grow', {}, () => {
    server.registerTool('grown', {}, () => text('yes'));
    return text('ok');
  });
  return server;
}

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });

function stop(server: http.Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function listen(handler: http.RequestListener, port = 0): Promise<http.Server & { port: number }> {
  const server = http.createServer(handler);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: bound } = server.address() as AddressInfo;
  return Object.assign(server, { port: bound });
}

/** A streamable HTTP server with sessions, as the SDK's examples have it. */
function streamable(port = 0) {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return listen(async (request, response) => {
    seenHeaders.push(request.headers);
    const id = request.headers['mcp-session-id'];
    let transport = typeof id === 'string' ? sessions.get(id) : undefined;
    if (transport === undefined && id !== undefined) {
      response.writeHead(404).end('{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}');
      return;
    }
    if (transport === undefined) {
      const made: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (session) => {
          sessions.set(session, made);
        },
      });
      transport = made;
      await mcp().connect(made);
    }
    await transport.handleRequest(request, response);
  }, port);
}

const portOf = (web: Partial<ServerConfig>) => pool.port({ config: configOf({ web }), root: '/' });

test('lists and calls a streamable HTTP server with headers and token', async () => {
  const { port } = await streamable();
  const url = `http://127.0.0.1:${port}/mcp`;
  const tools = portOf({ url, headers: { 'X-Team': 'blue' }, accessToken: `\${TOKEN}` });
  const listed = await tools.list(card, signal);
  expect(listed.issues).toEqual([]);
  const greeting = await tools.call(toolNamed(listed.tools, 'web__greet'), { name: 'Ada' }, callContext());
  expect(textOf(greeting.content)).toBe('Hello Ada');
  expect(seenHeaders.at(-1)?.authorization).toBe('Bearer hush-hush-hush');
  const headers = await tools.call(toolNamed(listed.tools, 'web__headers'), {}, callContext());
  expect(JSON.parse(textOf(headers.content))).toMatchObject({
    authorization: 'Bearer ***',
    'x-team': 'blue',
  });
});

test('a card’s mcp_connect target is called with its headers and token', async () => {
  const { port } = await streamable();
  const entry = {
    name: 'mine',
    target: `http://127.0.0.1:${port}`,
    connectorId: undefined,
    description: undefined,
    headers: { 'X-Team': 'green' },
    accessToken: `\${TOKEN}`,
  };
  const tools = pool.port({ config: configOf({}), root: '/' });
  const listed = await tools.list(agentCard('lead', { mcpConnect: [entry] }), signal);
  expect(listed.issues).toEqual([]);
  expect(
    textOf((await tools.call(toolNamed(listed.tools, 'mine__greet'), { name: 'Bo' }, callContext())).content),
  ).toBe('Hello Bo');
  expect(seenHeaders.at(-1)).toMatchObject({ authorization: 'Bearer hush-hush-hush', 'x-team': 'green' });
});

test('a redirect to another origin is not followed', async () => {
  const { port: target } = await streamable();
  const { port } = await listen((_, response) =>
    response.writeHead(307, { location: `http://localhost:${target}/mcp` }).end(),
  );
  const before = seenHeaders.length;
  const { issues } = await portOf({ url: `http://127.0.0.1:${port}/mcp` }).list(card, signal);
  expect(issues[0]?.message).toMatch(/it redirects to http:\/\/localhost:\d+\/mcp, which is not followed/);
  expect(seenHeaders.length).toBe(before);
});

test.each([
  ['http://10.9.8.7/mcp', /^Server 'web' is not called: '10\.9\.8\.7' is a private address/],
  ['http://169.254.169.254/mcp', /^Server 'web' is not called: '169\.254\.169\.254' is a link-local/],
])('%s is not called', async (url, message) => {
  const { issues } = await portOf({ url }).list(card, signal);
  expect(issues[0]?.message).toMatch(message);
});

test('hears of a changed list', async () => {
  const { port } = await streamable();
  const tools = portOf({ url: `http://127.0.0.1:${port}/mcp` });
  const { tools: before } = await tools.list(card, signal);
  const version = tools.version(card);
  await tools.call(toolNamed(before, 'web__grow'), {}, callContext());
  await expect.poll(() => tools.version(card)).toBeGreaterThan(version);
  expect((await tools.list(card, signal)).tools.map((tool) => tool.remoteName)).toContain('grown');
});

test('a restarted server is connected again, a server that is gone is an error result', async () => {
  const first = await streamable();
  const tools = portOf({ url: `http://127.0.0.1:${first.port}/mcp` });
  const listed = await tools.list(card, signal);
  const greet = toolNamed(listed.tools, 'web__greet');
  const version = tools.version(card);
  await stop(first);
  await expect.poll(() => tools.version(card)).toBeGreaterThan(version);
  const second = await streamable(first.port);
  expect(textOf((await tools.call(greet, { name: 'Bo' }, callContext())).content)).toBe('Hello Bo');
  const later = tools.version(card);
  await stop(second);
  await expect.poll(() => tools.version(card)).toBeGreaterThan(later);
  const gone = await tools.call(greet, { name: 'Cy' }, callContext());
  expect(gone).toMatchObject({ isError: true, errorCode: 'SERVER_UNAVAILABLE' });
  expect(textOf(gone.content)).toBe("Server 'web' is not available.");
});

test('a server that dies during a call ends the call', async () => {
  const server = await streamable();
  const tools = portOf({ url: `http://127.0.0.1:${server.port}/mcp` });
  const listed = await tools.list(card, signal);
  const pending = tools.call(toolNamed(listed.tools, 'web__hang'), {}, callContext());
  await expect.poll(() => connections(server)).toBeGreaterThan(1);
  await stop(server);
  expect(await pending).toMatchObject({ isError: true, errorCode: 'SERVER_UNAVAILABLE' });
});

function connections(server: http.Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
}

test('speaks SSE to a server of the older transport', async () => {
  const transports = new Map<string, SSEServerTransport>();
  const { port } = await listen(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (request.method === 'GET') {
      const transport = new SSEServerTransport('/messages', response);
      transports.set(transport.sessionId, transport);
      await mcp().connect(transport);
      return;
    }
    await transports.get(url.searchParams.get('sessionId') ?? '')?.handlePostMessage(request, response);
  });
  const tools = portOf({ url: `http://127.0.0.1:${port}/sse`, transport: 'sse' });
  const listed = await tools.list(card, signal);
  expect(listed.issues).toEqual([]);
  const greeting = await tools.call(toolNamed(listed.tools, 'web__greet'), { name: 'Ada' }, callContext());
  expect(textOf(greeting.content)).toBe('Hello Ada');
});

test('an SSE server that opens no stream is an issue, and so is one that lists nothing', async () => {
  await hurriedPool();
  const silent = await listen((_, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
  );
  const sse = await portOf({ url: `http://127.0.0.1:${silent.port}/sse`, transport: 'sse' }).list(card, signal);
  expect(sse.issues[0]?.message).toMatch(/gave no answer within 0\.5 s/);

  const lazy = await listen(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part);
    const message: { id?: number; method?: string } = JSON.parse(Buffer.concat(parts).toString() || '{}');
    if (message.method === 'tools/list') return;
    if (message.method !== 'initialize') return response.writeHead(202).end();
    const result = {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'l', version: '1' },
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
  });
  const { issues } = await portOf({ url: `http://127.0.0.1:${lazy.port}/mcp` }).list(card, signal);
  expect(issues[0]?.message).toMatch(
    /^Server 'web' did not list what it offers: it did not answer 'tools\/list' within 0\.5 s\.$/,
  );
});

test('closing the pool does not wait for a server that hangs', async () => {
  const { port } = await listen(() => undefined);
  const patient = createMcpPool({ clock: systemClock, log: () => undefined, env: {}, connectTimeoutMs: 600_000 });
  const config = configOf({ web: { url: `http://127.0.0.1:${port}/mcp` } });
  const pending = patient.port({ config, root: '/' }).list(card, signal);
  await patient.close();
  expect((await pending).issues[0]?.message).toMatch(/^Server 'web' could not be reached/);
});

test.each<[string, http.RequestListener, RegExp]>([
  ['hangs', () => undefined, /gave no answer within 0\.5 s/],
  [
    'refuses',
    (_, response) => response.writeHead(401).end('who are you, hush-hush-hush?'),
    /failed: .*who are you, \*\*\*/,
  ],
  [
    'is a web page',
    (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    /failed: it answered with text\/html, which is not MCP\.$/,
  ],
])('a server that %s is an issue', async (_, handler, expected) => {
  await hurriedPool();
  const { port } = await listen(handler);
  const tools = portOf({ url: `http://127.0.0.1:${port}/mcp`, headers: { Authorization: `\${TOKEN}` } });
  const { issues } = await tools.list(card, signal);
  expect(issues[0]?.message).toMatch(/^Server 'web' could not be reached: `http:/);
  expect(issues[0]?.message).toMatch(expected);
});
