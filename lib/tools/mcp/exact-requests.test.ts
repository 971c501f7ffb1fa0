import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '@/lib/jobs/system-clock';
import { textOf } from '@/lib/runtime/record/messages';
import { agentCard } from '@/lib/testing/graph-of';
import { callContext, configOf, toolNamed } from '@/lib/testing/mcp-servers';
import { createMcpPool, type McpPool } from './pool';

let pool: McpPool;
let root: string;
const signal = new AbortController().signal;
const card = agentCard('lead', { servers: ['raw'] });

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-exact-'));
  const env = { PATH: process.env.PATH };
  pool = createMcpPool({ clock: systemClock, log: () => {}, env, projectEnv: {} });
});

afterEach(async () => {
  await pool.close();
  await rm(root, { recursive: true, force: true });
});

/** Answers as a server whose only tool says the text of its request. Written as source, so that a process can run it too. */
const answer = `(body) => {
  const { id, method } = JSON.parse(body);
  if (id === undefined) return undefined;
  const tool = { name: 'show', inputSchema: { type: 'object' } };
  const result =
    method === 'initialize' ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' } }
    : method === 'tools/list' ? { tools: [tool] }
    : method === 'tools/call' ? { content: [{ type: 'text', text: body }] }
    : {};
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}`;

const args = { id: 9007199254740993n, rows: [{ id: -12345678901234567890n, text: '9007199254740993' }] };
const digits = '{"id":9007199254740993,"rows":[{"id":-12345678901234567890,"text":"9007199254740993"}]}';

async function callShow(server: Parameters<typeof configOf>[0][string]): Promise<string> {
  const port = pool.port({ config: configOf({ raw: server }), root });
  const { tools, issues } = await port.list(card, signal);
  expect(issues).toEqual([]);
  return textOf((await port.call(toolNamed(tools, 'raw__show'), args, callContext())).content);
}

test('a stdio server gets integers beyond 2^53 with their digits', async () => {
  const source = `import { createInterface } from 'node:readline';
const answer = ${answer};
for await (const line of createInterface({ input: process.stdin })) {
  const text = answer(line);
  if (text !== undefined) process.stdout.write(text + '\\n');
}`;
  await writeFile(path.join(root, 'server.mjs'), source);
  expect(await callShow({ command: 'node', args: ['server.mjs'] })).toContain(digits);
});

test('an HTTP server gets integers beyond 2^53 with their digits', async () => {
  const respond = new Function(`return ${answer}`)() as (body: string) => string | undefined;
  const server = http.createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const text = respond(body);
    if (text === undefined) response.writeHead(202).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    expect(await callShow({ url: `http://127.0.0.1:${port}/mcp` })).toContain(digits);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
