import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isRecord } from '@/lib/base/json';
import { systemClock } from '@/lib/jobs/system-clock';
import type { LogBody } from '@/lib/runtime/ports';
import { textOf } from '@/lib/runtime/record/messages';
import { fakeClock } from '@/lib/testing/fake-clock';
import { agentCard } from '@/lib/testing/graph-of';
import { callContext, configOf, toolNamed } from '@/lib/testing/mcp-servers';
import { createMcpPool, type McpPool } from './pool';

const mebibyte = 1024 * 1024;
const card = agentCard('lead', { servers: ['s'] });
const signal = new AbortController().signal;
const clock = fakeClock();
let root: string;
let pool: McpPool;
let logs: LogBody[];
let server: http.Server | undefined;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-hostile-'));
  logs = [];
});

afterEach(async () => {
  await pool.close();
  server?.closeAllConnections();
  server?.close();
  await rm(root, { recursive: true, force: true });
});

function newPool(connectTimeoutMs: number, time = systemClock as Parameters<typeof createMcpPool>[0]['clock']) {
  const env = { PATH: process.env.PATH };
  pool = createMcpPool({ clock: time, log: (body) => logs.push(body), env, connectTimeoutMs });
  return pool;
}

/** An HTTP server that answers each JSON-RPC request with this function, and not at all when it returns `undefined`. */
async function served(
  answer: (method: string, params: Record<string, unknown>, response: http.ServerResponse) => unknown,
): Promise<string> {
  server = http.createServer(async (request, response) => {
    response.on('error', () => undefined);
    const parts: Buffer[] = [];
    for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part);
    const message: unknown = JSON.parse(Buffer.concat(parts).toString() || '{}');
    if (!isRecord(message) || message.id === undefined) return response.writeHead(202).end();
    const params = isRecord(message.params) ? message.params : {};
    const result = answer(String(message.method), params, response);
    if (result === undefined) return;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/mcp`;
}

const hello = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 's', version: '1' },
};
const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
const portAt = (url: string) => pool.port({ config: configOf({ s: { url } }), root });

function flood(response: http.ServerResponse, more: string): { sent: number } {
  const count = { sent: 0 };
  const write = () => {
    while (count.sent < 600 * mebibyte && !response.destroyed) {
      count.sent += more.length;
      if (!response.write(more)) return void response.once('drain', write);
    }
  };
  write();
  return count;
}

describe('a server that hangs at its start', () => {
  test('is asked once by all the model calls of a run, and later beside them', async () => {
    let asked = 0;
    let isWell = false;
    const url = await served((method) => {
      if (method === 'initialize') asked += 1;
      if (!isWell) return undefined;
      return method === 'initialize' ? hello : { tools: [tool('ok')] };
    });
    newPool(300, clock);
    const port = portAt(url);
    const version = port.version(card);
    const together = await Promise.all([port.list(card, signal), portAt(url).list(card, signal)]);
    expect(together.map(({ issues }) => issues[0]?.message)).toEqual([
      `Server 's' could not be reached: \`${url}\` gave no answer within 0.3 s.`,
      `Server 's' could not be reached: \`${url}\` gave no answer within 0.3 s.`,
    ]);
    for (let call = 0; call < 20; call += 1) {
      const { issues } = await port.list(card, signal);
      expect(issues[0]?.message).toMatch(/gave no answer within 0\.3 s\. It is tried again in 3 s\.$/);
    }
    expect(asked).toBe(1);
    // Agents that have listed the tools need not list again.
    expect(port.version(card)).toBe(version);

    await clock.advance(3_000);
    expect(port.version(card)).toBe(version + 1);
    const waiting = port.list(card, signal);
    await expect.poll(() => asked).toBe(2);
    await clock.advance(2_000);
    expect((await waiting).issues[0]?.message).toMatch(/gave no answer within 0\.3 s\.$/);

    // The second delay is twice as long.
    await expect.poll(async () => (await port.list(card, signal)).issues[0]?.message).toMatch(/again in [56] s/);
    isWell = true;
    await clock.advance(6_000);
    const well = await port.list(card, signal);
    expect(well.tools.map(({ name }) => name)).toEqual(['s__ok']);
    expect(port.version(card)).toBeGreaterThan(version + 1);
    expect(asked).toBe(3);
  });

  test('and one that hangs when it is asked for its tools', async () => {
    let asked = 0;
    const url = await served((method) => {
      if (method === 'initialize') return hello;
      if (method === 'tools/list') asked += 1;
      return undefined;
    });
    newPool(300, clock);
    const port = portAt(url);
    const { issues } = await port.list(card, signal);
    expect(issues[0]?.message).toMatch(
      /^Server 's' did not list what it offers: it did not answer 'tools\/list' within 0\.3 s\.$/,
    );
    for (let call = 0; call < 20; call += 1) expect((await port.list(card, signal)).tools).toEqual([]);
    expect(asked).toBe(1);
  });
});

describe('a list of tools', () => {
  test.each<[string, (page: number) => unknown, RegExp]>([
    ['without end', (page) => ({ tools: [], nextCursor: `p${page}` }), /does not end after 1000 pages/],
    ['that goes round', () => ({ tools: [], nextCursor: 'again' }), /names the same next page again and again/],
    [
      'of 100,000 tools',
      () => ({ tools: Array.from({ length: 100_000 }, (_, n) => tool(`t${n}`)) }),
      /it lists more than 10000 tools/,
    ],
    [
      'of 100,000 tools in pages',
      (page) => ({ tools: Array.from({ length: 1_000 }, (_, n) => tool(`t${page}-${n}`)), nextCursor: `p${page}` }),
      /it lists more than 10000 tools/,
    ],
    [
      'of large pages',
      (page) => ({ tools: [{ ...tool('t'), description: 'x'.repeat(8 * mebibyte) }], nextCursor: `p${page}` }),
      /its list of tools is larger than 32 MiB/,
    ],
  ])('%s is an issue', async (_, page, expected) => {
    let pages = 0;
    const url = await served((method) => {
      if (method === 'initialize') return hello;
      pages += 1;
      return page(pages);
    });
    newPool(20_000);
    const { issues, tools } = await portAt(url).list(card, signal);
    expect(tools).toEqual([]);
    expect(issues[0]?.message).toMatch(expected);
  });
});

describe('a message without end ends the connection', () => {
  test.each<[string, string, string, string]>([
    ['JSON', 'application/json', '"', 'x'.repeat(65_536)],
    ['an event', 'text/event-stream', 'data: ', 'x'.repeat(65_536)],
    ['an event of many lines', 'text/event-stream', '', `data: ${'x'.repeat(65_536)}\n`],
  ])('%s of a server at an address', async (_, type, first, more) => {
    let count = { sent: 0 };
    const url = await served((method, __, response) => {
      if (method === 'initialize') return hello;
      if (method === 'tools/list') return { tools: [tool('huge')] };
      response.writeHead(200, { 'content-type': type });
      response.write(first);
      count = flood(response, more);
      return undefined;
    });
    newPool(10_000);
    const port = portAt(url);
    const { tools } = await port.list(card, signal);
    const result = await port.call(toolNamed(tools, 's__huge'), {}, callContext());
    expect(result.errorCode).toBe('SERVER_UNAVAILABLE');
    expect(textOf(result.content)).toMatch(/it sent a message of more than 32 MiB/);
    expect(count.sent).toBeLessThan(80 * mebibyte);
  });

  test.each([
    ['a line', `process.stdout.write(more)`, /sent a message of more than 32 MiB/],
    ['too many values', `process.stdout.write('[' + '[],'.repeat(600000) + '[]]\\n')`, /more than 500000 values/],
  ])('%s of a command', async (_, write, expected) => {
    const source = `const more = 'x'.repeat(1 << 20); const go = () => { while (${write}); process.stdout.once('drain', go); }; go();`;
    await writeFile(path.join(root, 'flood.mjs'), source);
    newPool(20_000);
    const port = pool.port({ config: configOf({ s: { command: 'node', args: ['flood.mjs'] } }), root });
    const { issues } = await port.list(card, signal);
    expect(issues[0]?.message).toMatch(/^Server 's' did not start: `node flood.mjs` sent a message/);
    expect(issues[0]?.message).toMatch(expected);
  });

  test('an error page of a server at an address is read a few KB far', async () => {
    let count = { sent: 0 };
    const url = await served((_, __, response) => {
      response.writeHead(500);
      count = flood(response, 'x'.repeat(65_536));
      return undefined;
    });
    newPool(10_000);
    const { issues } = await portAt(url).list(card, signal);
    expect(issues[0]?.message).toMatch(/^Server 's' could not be reached: .*xxx/);
    expect(issues[0]?.message.length).toBeLessThan(6_000);
    expect(count.sent).toBeLessThan(24 * mebibyte);
  });

  test('an endless line on stderr is logged in pieces', async () => {
    const source = `process.stderr.write('x'.repeat(1 << 20), () => process.exit(3));`;
    await writeFile(path.join(root, 'noise.mjs'), source);
    newPool(20_000);
    const port = pool.port({ config: configOf({ s: { command: 'node', args: ['noise.mjs'] } }), root });
    expect((await port.list(card, signal)).issues[0]?.message).toMatch(/exited with code 3/);
    const lines = logs.filter(({ code }) => code === 'server_stderr');
    expect(lines.length).toBeGreaterThan(1);
    expect(Math.max(...lines.map(({ message }) => message.length))).toBeLessThan(2_100);
  });
});

test('a server that asks and asks and reads no answers is given up', async () => {
  const source = `
let buffer = '';
process.stdin.on('data', (chunk) => {
  buffer += chunk;
  for (let end = buffer.indexOf('\\n'); end !== -1; end = buffer.indexOf('\\n')) {
    const message = JSON.parse(buffer.slice(0, end));
    buffer = buffer.slice(end + 1);
    if (message.method !== 'initialize') continue;
    const result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }) + '\\n');
    process.stdin.pause();
    let id = 0;
    const pad = 'x'.repeat(1 << 20);
    const go = () => { while (process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: pad + id++, method: 'ping' }) + '\\n')); process.stdout.once('drain', go); };
    go();
  }
});`;
  await writeFile(path.join(root, 'asks.mjs'), source);
  newPool(20_000);
  const port = pool.port({ config: configOf({ s: { command: 'node', args: ['asks.mjs'] } }), root });
  const { issues } = await port.list(card, signal);
  expect(issues[0]?.message).toMatch(/does not read what it is sent/);
});
