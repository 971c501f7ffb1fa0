import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '@/lib/jobs/system-clock';
import { type ToolResult, textOf } from '@/lib/runtime/record/messages';
import { agentCard } from '@/lib/testing/graph-of';
import { callContext, configOf, toolNamed, writeServer } from '@/lib/testing/mcp-servers';
import { createMcpPool, type McpPool } from './pool';

let pool: McpPool;
let root: string;
const servers: http.Server[] = [];
const signal = new AbortController().signal;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-two-calls-'));
  pool = createMcpPool({ clock: systemClock, log: () => {}, env: { PATH: process.env.PATH }, projectEnv: {} });
});

afterEach(async () => {
  await pool.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await rm(root, { recursive: true, force: true });
});

const said = ({ errorCode, content }: ToolResult) => errorCode ?? textOf(content);

/** Over HTTP: `busy` tells of its progress until `dead` was given up, `dead` never says a word. */
async function busyAndDead(): Promise<string> {
  let isGivenUp = false;
  const server = http.createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(await text(request));
    if (method === 'notifications/cancelled') isGivenUp = true;
    if (id === undefined) return void response.writeHead(202).end();
    const result = (value: object) => JSON.stringify({ jsonrpc: '2.0', id, result: value });
    if (method !== 'tools/call') {
      const info = { capabilities: { tools: {} }, serverInfo: { name: 'slow', version: '1' } };
      const hello = { protocolVersion: '2025-06-18', ...info };
      const tools = ['busy', 'dead'].map((name) => ({ name, inputSchema: { type: 'object' } }));
      const value = method === 'initialize' ? hello : method === 'tools/list' ? { tools } : {};
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(result(value));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    if (params.name === 'dead') return;
    const { progressToken } = params._meta;
    for (let progress = 1; !isGivenUp; progress += 1) {
      const note = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress } };
      response.write(`data: ${JSON.stringify(note)}\n\n`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    response.end(`data: ${result({ content: [{ type: 'text', text: 'busy is done' }] })}\n\n`);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** The same over stdio. */
const source = `
let isGivenUp = false;
server.registerTool('dead', {}, (extra) => new Promise(() => extra.signal.addEventListener('abort', () => { isGivenUp = true; })));
server.registerTool('busy', {}, async (extra) => {
  for (let progress = 1; !isGivenUp; progress += 1) {
    const { progressToken } = extra._meta;
    await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress } });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return text('busy is done');
});`;

test.each(['stdio', 'HTTP'])('the progress of one call keeps no other one alive, over %s', async (transport) => {
  const place = transport === 'stdio' ? await writeServer(root, source) : { url: await busyAndDead() };
  const port = pool.port({ config: configOf({ slow: { ...place, readTimeoutSeconds: 1 } }), root });
  const { tools, issues } = await port.list(agentCard('lead', { servers: ['slow'] }), signal);
  expect(issues).toEqual([]);
  const call = (name: string) => port.call(toolNamed(tools, name), {}, callContext());
  expect((await Promise.all([call('slow__busy'), call('slow__dead')])).map(said)).toEqual([
    'busy is done',
    'TOOL_TIMEOUT',
  ]);
});
