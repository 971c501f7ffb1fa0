import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '@/lib/base/json';
import type { ServerConfig } from '@/lib/cards/config';
import { systemClock } from '@/lib/jobs/system-clock';
import { textOf } from '@/lib/runtime/record/messages';
import { agentCard } from '@/lib/testing/graph-of';
import { callContext, configOf, toolNamed } from '@/lib/testing/mcp-servers';
import { createMcpPool, type McpPool } from './pool';

/** What servers answer in place of what MCP has. Each call of `odd` gets such an answer, and `good` must work all the same. */

let root: string;
let pool: McpPool;
let servers: http.Server[];

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-odd-'));
  pool = createMcpPool({ clock: systemClock, log: () => undefined, env: { PATH: process.env.PATH } });
  servers = [];
});

afterEach(async () => {
  await pool.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await rm(root, { recursive: true, force: true });
});

interface Asked {
  readonly id: Json;
  readonly method: string;
  readonly name: Json | undefined;
}

type Write = (response: http.ServerResponse, id: Json) => void;

const ok: JsonObject = { content: [{ type: 'text', text: 'ok' }] };
const tools: Json = ['odd', 'good'].map((name) => ({ name, inputSchema: { type: 'object' } }));
const start = (protocolVersion: Json): JsonObject => ({
  protocolVersion,
  capabilities: { tools: {} },
  serverInfo: { name: 'own', version: '1' },
});

/** Starts a server. `answer` returns what it writes itself. */
async function serve(answer: (asked: Asked) => Write | undefined): Promise<string> {
  const server = http.createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const parts: Buffer[] = [];
    for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part);
    const message: { id?: Json; method: string; params?: JsonObject } = JSON.parse(Buffer.concat(parts).toString());
    const { id, method, params = {} } = message;
    if (id === undefined) return response.writeHead(202).end();
    const own = answer({ id, method, name: params.name });
    if (own !== undefined) return own(response, id);
    const result =
      method === 'initialize' ? start(params.protocolVersion ?? '') : method === 'tools/list' ? { tools } : ok;
    json(200, { jsonrpc: '2.0', id, result })(response, id);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/mcp`;
}

const json =
  (status: number, value: Json): Write =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const text =
  (status: number, headers: Record<string, string>, body = ''): Write =>
  (response) =>
    void response.writeHead(status, headers).end(body);
const result =
  (value: Json): Write =>
  (response, id) =>
    json(200, { jsonrpc: '2.0', id, result: value })(response, id);

async function list(server: Partial<ServerConfig>, asks = false) {
  const consentOf = () => ({ sampling: 'never' as const, elicitation: asks });
  const port = pool.port({ config: configOf({ own: { readTimeoutSeconds: 20, ...server } }), root, consentOf });
  const listed = await port.list(agentCard('lead', { servers: ['own'] }), new AbortController().signal);
  const call = async (name: string) => {
    const { isError, errorCode, content } = await port.call(toolNamed(listed.tools, `own__${name}`), {}, callContext());
    return isError ? `${errorCode}: ${textOf(content)}` : textOf(content);
  };
  return { call, issues: listed.issues.map(({ message }) => message) };
}

const unsure = 'The call may or may not have taken effect.';

describe('a call over HTTP', () => {
  test.each<[what: string, write: Write, said: string]>([
    [
      'a page',
      text(200, { 'content-type': 'text/html' }, '<p>Login</p>'),
      `it answered with text/html, which is not MCP. ${unsure}`,
    ],
    ['no type', text(200, {}, 'x'), `it answered with something without a content type, which is not MCP. ${unsure}`],
    [
      'half of JSON',
      text(200, { 'content-type': 'application/json' }, '{"a":'),
      `it answered with something that is not JSON. ${unsure}`,
    ],
    ['an error without words', text(500, {}), `HTTP 500. ${unsure}`],
    [
      'an error page',
      text(502, {}, '<html><head><title>x</title></head><h1>Bad\nGateway</h1></html>'),
      `HTTP 502: Bad Gateway. ${unsure}`,
    ],
    [
      'a page with a style that does not end',
      text(502, {}, `<h1>Bad Gateway</h1><style>${'a { top: 0 } '.repeat(500)}`),
      `HTTP 502: Bad Gateway. ${unsure}`,
    ],
    [
      'an error in words of the SDK',
      text(500, {}, 'Unexpected content type: x'),
      `HTTP 500: Unexpected content type: x. ${unsure}`,
    ],
    ['an error of JSON-RPC', json(500, { error: { code: 1, message: 'Disk full' } }), `HTTP 500: Disk full. ${unsure}`],
    [
      'an error of OAuth',
      json(403, { error: 'x', error_description: 'No scope' }),
      'HTTP 403: No scope. Check its access_token or headers.',
    ],
    ['too many requests', text(429, {}, 'slow down'), 'HTTP 429: slow down. Try again later.'],
    [
      'a redirect to another host',
      text(307, { location: 'http://127.0.0.1:9/other' }),
      'HTTP 307: it redirects to http://127.0.0.1:9/other, which is not followed. If you trust that address, write it as the url of the server.',
    ],
  ])('that gets %s fails with a sentence of ours, and other calls go on', async (_, write, said) => {
    const { call } = await list({ url: await serve(({ name }) => (name === 'odd' ? write : undefined)) });
    expect(await call('odd')).toBe(`TOOL_FAILED: Server 'own' gave no result: ${said}`);
    expect(await call('good')).toBe('ok');
  });

  test('that fails in words of the SDK is told as it is', async () => {
    const error = { code: -32603, message: 'Unexpected content type: text/csv' };
    const write: Write = (response, id) => json(200, { jsonrpc: '2.0', id, error })(response, id);
    const { call } = await list({ url: await serve(({ name }) => (name === 'odd' ? write : undefined)) });
    expect(await call('odd')).toBe('TOOL_FAILED: Unexpected content type: text/csv');
  });

  test.each<[what: string, value: Json, said: string]>([
    [
      'null',
      null,
      "TOOL_FAILED: Tool 'own__odd' answered in a form that MCP does not have: the answer as a whole. Have it corrected at server 'own'.",
    ],
    ['a failure without words', { isError: true }, 'TOOL_FAILED: The tool failed and did not say why.'],
    ['a structured failure', { isError: true, structuredContent: { why: 'no' } }, 'TOOL_FAILED: {"why":"no"}'],
    ['a structured list', { structuredContent: [1, 2] }, '[1,2]'],
    ['a result of 2024-10-07', { toolResult: 'old' }, '"old"'],
    ['nothing', {}, ''],
  ])('whose result is %s says so', async (_, value, said) => {
    const { call } = await list({ url: await serve(({ name }) => (name === 'odd' ? result(value) : undefined)) });
    expect(await call('odd')).toBe(said);
  });
});

describe('a server at an address that does not start', () => {
  test.each<[what: string, write: Write, said: string]>([
    [
      'a page',
      text(200, { 'content-type': 'text/html' }, '<p>Login</p>'),
      'it answered with text/html, which is not MCP.',
    ],
    ['a refused token', text(401, {}, 'bad token'), 'HTTP 401: bad token. Check its access_token or headers.'],
    ['a wrong address', text(404, {}, 'Not found'), 'HTTP 404: Not found. Check its url.'],
  ])('because of %s says it once, and in our words', async (_, write, said) => {
    const url = await serve(() => write);
    const { issues } = await list({ url, headers: { authorization: 'Bearer x' } });
    expect(issues).toEqual([`Server 'own' could not be reached: \`${url}\` failed: ${said}`]);
  });

  test('because of a page says so too if another protocol was tried first', async () => {
    const error = { code: -32601, message: 'Method not found' };
    const refuse: Write = (response, id) => json(200, { jsonrpc: '2.0', id, error })(response, id);
    const page = text(200, { 'content-type': 'text/html' }, '<p>Login</p>');
    const url = await serve(({ method }) => (method === 'server/discover' ? refuse : page));
    expect((await list({ url }, true)).issues).toEqual([
      `Server 'own' could not be reached: \`${url}\` refused the handshake: it answered with text/html, which is not MCP.`,
    ]);
  });

  test('because nobody listens says what the system said', async () => {
    const { issues } = await list({ url: 'http://127.0.0.1:9/mcp' });
    expect(issues).toEqual([
      "Server 'own' could not be reached: `http://127.0.0.1:9/mcp` failed: connect ECONNREFUSED 127.0.0.1:9.",
    ]);
  });
});

describe('a handshake and a list', () => {
  test('may have null for what is left out', async () => {
    const more = { capabilities: { tools: { listChanged: null }, prompts: null }, instructions: null };
    const hello = (id: Json): Json => ({ jsonrpc: '2.0', id, result: { ...start('2025-06-18'), ...more } });
    const url = await serve(({ method }) =>
      method === 'initialize' ? (response, id) => json(200, hello(id))(response, id) : undefined,
    );
    const { call, issues } = await list({ url });
    expect([issues, await call('good')]).toEqual([[], 'ok']);
  });

  test('that comes back to a page that it had does not go on', async () => {
    let page = 0;
    const url = await serve(({ method }) => {
      if (method !== 'tools/list') return undefined;
      page += 1;
      return result({ tools: [], nextCursor: page % 2 === 0 ? 'a' : 'b' });
    });
    expect((await list({ url })).issues).toEqual([
      "Server 'own' did not list what it offers: its list of tools names the same next page again and again.",
    ]);
  });

  test('that does not end in time says so', async () => {
    await pool.close();
    pool = createMcpPool({ clock: systemClock, log: () => undefined, env: {}, connectTimeoutMs: 500 });
    let page = 0;
    const url = await serve(({ method }) => {
      page += 1;
      return method === 'tools/list' ? result({ tools: [], nextCursor: `${page}` }) : undefined;
    });
    // On a fast machine the number of pages ends it first.
    expect((await list({ url })).issues[0]).toMatch(
      /its list of tools did not end within 0\.5 s\.$|after 1000 pages\.$/,
    );
  });
});

describe('a command', () => {
  const script = (answer: string) => `import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const hello = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'own', version: '1' } };
  const result = method === 'initialize' ? hello : method === 'tools/list' ? { tools: ${JSON.stringify(tools)} } : ${JSON.stringify(ok)};
  const message = { jsonrpc: '2.0', id, result };
  if (params.name === 'odd') ${answer}
  else console.log(JSON.stringify(message));
}`;

  test.each([
    ['a batch', 'console.log(JSON.stringify([message]));', 'ok'],
    ['text before it on its line', `process.stdout.write('50 %… ' + JSON.stringify(message) + '\\n');`, 'ok'],
    [
      'an error that is a text',
      `console.log(JSON.stringify({ jsonrpc: '2.0', id, error: 'oops' }));`,
      `TOOL_FAILED: Server 'own' gave no result: it answered with "oops", which is no result.`,
    ],
  ])('may answer with %s', async (_, answer, said) => {
    await writeFile(path.join(root, 'own.mjs'), script(answer));
    const { call } = await list({ command: 'node', args: ['own.mjs'] });
    expect(await call('odd')).toBe(said);
    expect(await call('good')).toBe('ok');
  });

  test('that is not there is named once', async () => {
    expect((await list({ command: 'no-such-program' })).issues).toEqual([
      "Server 'own' did not start: `no-such-program` was not found: no folder of PATH has a program of this name.",
    ]);
  });
});
