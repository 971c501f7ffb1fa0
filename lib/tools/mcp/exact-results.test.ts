import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '@/lib/jobs/system-clock';
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

/** The numbers as a server writes them. A limit in a schema stays a number, because schemas are doubles. */
const written =
  '{"id":9007199254740993,"rows":[{"id":-12345678901234567890,"text":"9007199254740993 \\"1e400\\" ü"}],"huge":1e400,"small":1.0,"tiny":0.1000000000000000055}';
const read = {
  id: 9007199254740993n,
  rows: [{ id: -12345678901234567890n, text: '9007199254740993 "1e400" ü' }],
  huge: '1e400',
  small: 1,
  tiny: 0.1,
};

/** Answers with text, because `JSON.stringify` cannot write these numbers. Source, so that a process can run it too. */
const answer = `(body) => {
  const { id, method } = JSON.parse(body);
  if (id === undefined) return undefined;
  const limits = '{"type":"integer","maximum":9223372036854775807}';
  const tool = '{"name":"show","inputSchema":{"type":"object","properties":{"id":' + limits + ',"structuredContent":' + limits + '}}}';
  const result =
    method === 'initialize' ? '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"1"}}'
    : method === 'tools/list' ? '{"tools":[' + tool + ']}'
    : method === 'tools/call' ? '{"content":[{"type":"text","text":"9007199254740993"}],"structuredContent":${written.replaceAll('\\', '\\\\')}}'
    : '{}';
  return '{"jsonrpc":"2.0","id":' + id + ',"result":' + result + '}';
}`;
const respond = new Function(`return ${answer}`)() as (body: string) => string | undefined;

async function callShow(server: Parameters<typeof configOf>[0][string]) {
  const port = pool.port({ config: configOf({ raw: server }), root });
  const { tools, issues } = await port.list(card, signal);
  expect(issues).toEqual([]);
  const tool = toolNamed(tools, 'raw__show');
  const limits = { type: 'integer', maximum: 2 ** 63 };
  expect(tool.inputSchema).toMatchObject({ properties: { id: limits, structuredContent: limits } });
  const { structuredContent, content } = await port.call(tool, { id: 1 }, callContext());
  expect(content).toEqual([{ type: 'text', text: '9007199254740993' }]);
  return structuredContent;
}

/** Serves over HTTP, with the answers written by `write`. */
async function serve(
  write: (response: http.ServerResponse, text: string) => void,
  use: (url: string) => Promise<void>,
) {
  const server = http.createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const text = respond(body);
    if (text === undefined) response.writeHead(202).end();
    else write(response, text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('structured results of a stdio server keep their digits', async () => {
  const source = `import { createInterface } from 'node:readline';
const answer = ${answer};
for await (const line of createInterface({ input: process.stdin })) {
  const text = answer(line);
  if (text !== undefined) process.stdout.write(text + '\\n');
}`;
  await writeFile(path.join(root, 'server.mjs'), source);
  expect(await callShow({ command: 'node', args: ['server.mjs'] })).toEqual(read);
});

test('structured results in a JSON body keep their digits', async () => {
  await serve(
    (response, text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text),
    async (url) => expect(await callShow({ url })).toEqual(read),
  );
});

test.each([
  ['\n', 'one line'],
  ['\r\n', 'one line'],
  ['\r', 'one line'],
  ['\n', 'several lines'],
])('structured results in an event stream with line ends %j and %s keep their digits', async (end, shape) => {
  await serve(
    (response, text) => {
      const lines = shape === 'one line' ? [text] : text.replaceAll(',"', ',\n"').split('\n');
      const event = `: 9007199254740993${end}event: message${end}${lines.map((line) => `data: ${line}${end}`).join('')}${end}: end${end}`;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      // In pieces of a few bytes, which also split characters.
      const bytes = Buffer.from(event);
      for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
      response.end();
    },
    async (url) => expect(await callShow({ url })).toEqual(read),
  );
});

test('structured results over the older transport of two addresses keep their digits', async () => {
  let stream: http.ServerResponse | undefined;
  const server = http.createServer(async (request, response) => {
    if (request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      stream.write('event: endpoint\ndata: /messages\n\n');
      return;
    }
    let body = '';
    for await (const chunk of request) body += String(chunk);
    response.writeHead(202).end();
    const text = respond(body);
    if (text !== undefined) stream?.write(`event: message\ndata: ${text}\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    expect(await callShow({ transport: 'sse', url: `http://127.0.0.1:${port}/sse` })).toEqual(read);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
