import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { ProbeReport } from '@/lib/base/probe-report';
import type { ServerConfig } from '@/lib/cards/config';
import { systemClock } from '@/lib/jobs/system-clock';
import { liveProcesses } from '@/lib/testing/live-processes';
import { configOf, modulePath, writeServer } from '@/lib/testing/mcp-servers';
import { createMcpPool, type McpPool } from './pool';

let root: string;
let pool: McpPool;
let web: http.Server | undefined;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-probe-'));
  pool = poolWith({});
});

afterEach(async () => {
  await pool.close();
  web?.closeAllConnections();
  await new Promise((resolve) => (web === undefined ? resolve(undefined) : web.close(resolve)));
  web = undefined;
  await rm(root, { recursive: true, force: true });
});

function poolWith(options: { readonly connectTimeoutMs?: number }): McpPool {
  const env = { PATH: process.env.PATH };
  const projectEnv = { SECRET_TOKEN: 'hush-hush-hush' };
  return createMcpPool({
    clock: systemClock,
    log: () => undefined,
    env,
    projectEnv,
    allowPrivateUrls: '127.0.0.1',
    ...options,
  });
}

async function probe(server: Partial<ServerConfig>, signal = new AbortController().signal): Promise<ProbeReport> {
  return await pool.probe({ config: configOf({ it: server }), root }, 'it', signal);
}

/** Describes the steps in one line, such as `resolve start! -initialize -list`. */
function stepsOf({ steps }: ProbeReport): string {
  return steps
    .map(({ name, state }) => `${state === 'skipped' ? '-' : ''}${name}${state === 'failed' ? '!' : ''}`)
    .join(' ');
}

async function listen(handler: http.RequestListener): Promise<string> {
  const server = http.createServer(handler);
  web = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

async function script(source: string): Promise<Partial<ServerConfig>> {
  await writeFile(path.join(root, 'it.mjs'), source);
  // The folder among the arguments lets a test find the process.
  return { command: 'node', args: ['it.mjs', root] };
}

test('a real server is started, asked for everything it offers, and ended', async () => {
  const every = modulePath('@modelcontextprotocol/server-everything/dist/index.js');
  const report = await probe({ command: 'node', args: [every] });
  expect(stepsOf(report)).toBe('resolve start initialize list');
  expect(report.why).toBeUndefined();
  expect(report.steps[0]?.message).toContain('server-everything');
  const echo = report.tools.find(({ name }) => name === 'echo');
  expect(echo).toMatchObject({ description: 'Echoes back the input string', inputSchema: { required: ['message'] } });
  expect(report.prompts.find(({ name }) => name === 'args-prompt')?.arguments).toEqual([
    { name: 'city', required: true },
    { name: 'state', required: false },
  ]);
  expect(report.resources.some(({ uri }) => uri.includes('{'))).toBe(true);
  expect(report.resources.some(({ uri }) => !uri.includes('{'))).toBe(true);
  expect(report.serverInfo?.name).toContain('everything');
  expect(liveProcesses(every)).toBe(0);
});

test('of a command that does not exist, the start fails and the line names it', async () => {
  const report = await probe({ command: 'no-such-command-here', args: ['x'] });
  expect(stepsOf(report)).toBe('resolve start! -initialize -list');
  expect(report.why).toBe(
    "Command 'no-such-command-here' was not found: no folder of PATH has a program of this name.",
  );
});

test('of a server that ends with a stack trace, the start fails and the line is the exception', async () => {
  const report = await probe(await script(`import './missing-part.mjs';`));
  expect(stepsOf(report)).toBe('resolve start! -initialize -list');
  expect(report.why).toMatch(/^Error \[ERR_MODULE_NOT_FOUND\]: Cannot find module '.*missing-part\.mjs'/);
  expect(report.log.length).toBeGreaterThan(3);
});

test('of a server that says nothing, initialize fails after the limit', async () => {
  pool = poolWith({ connectTimeoutMs: 800 });
  const report = await probe(await script(`console.error('warming up'); setInterval(() => {}, 1000);`));
  expect(stepsOf(report)).toBe('resolve start initialize! -list');
  expect(report.why).toBe('It gave no answer within 0.8 s. It printed: warming up');
  expect(liveProcesses(root)).toBe(0);
});

test('a server that ends quietly, and one that lists for ever', async () => {
  expect((await probe(await script('process.exit(3)'))).why).toBe('It exited with code 3 and printed nothing.');
  pool = poolWith({ connectTimeoutMs: 1_500 });
  const slow = await writeServer(
    root,
    `server.registerTool('a', {}, () => text('a'));
     server.server.setRequestHandler(types.ListToolsRequestSchema, () => new Promise(() => {}));`,
  );
  const report = await probe(slow);
  expect(stepsOf(report)).toBe('resolve start initialize list!');
  expect(report.why).toBe("it did not answer 'tools/list' within 1.5 s");
});

test('a server without settings is not started, and a missing variable is named', async () => {
  const signal = new AbortController().signal;
  const missing = await pool.probe({ config: configOf({}), root }, 'it', signal);
  expect(stepsOf(missing)).toBe('resolve! -start -initialize -list');
  expect(missing.why).toBe(
    "Server 'it' cannot be used: it is not defined. Add it under mcp.servers in fast-agent.yaml.",
  );
  const unfilled = await probe({ command: 'node', args: [`\${NOT_LISTED}`] });
  expect(unfilled.why).toContain('NOT_LISTED');
});

test('no secret of the settings is in a report', async () => {
  const report = await probe({
    ...(await script(`console.error('token ' + process.env.TOKEN); process.exit(1)`)),
    env: { TOKEN: `\${SECRET_TOKEN}` },
  });
  expect(report.why).toBe('token ***');
  expect(JSON.stringify(report)).not.toContain('hush-hush-hush');
});

test('a stop ends the process and the probe', async () => {
  const stop = new AbortController();
  const hanging = await script(`console.error('up'); setInterval(() => {}, 1000);`);
  const probing = probe(hanging, stop.signal);
  stop.abort();
  expect(stepsOf(await probing)).toContain('!');
  expect(liveProcesses(root)).toBe(0);
});

test('a server at an address is asked for its tools', async () => {
  const url = await listen(async (request, response) => {
    const server = new McpServer({ name: 'web', version: '2' });
    server.registerTool('look', { annotations: { readOnlyHint: true } }, () => ({ content: [] }));
    server.registerTool('greet', { description: 'Says hello', inputSchema: { name: z.string() } }, () => ({
      content: [],
    }));
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await server.connect(transport);
    await transport.handleRequest(request, response);
  });
  const report = await probe({ url });
  expect(stepsOf(report)).toBe('resolve connect initialize list');
  expect(report.tools).toEqual([
    { name: 'look', inputSchema: expect.objectContaining({ type: 'object' }), readOnly: true },
    {
      name: 'greet',
      description: 'Says hello',
      inputSchema: expect.objectContaining({ required: ['name'] }),
      readOnly: false,
    },
  ]);
  expect(report.serverInfo).toEqual({ name: 'web', version: '2' });
});

test('an answer 401 fails the connection, and the reason is that the server needs a sign-in', async () => {
  const url = await listen((_request, response) => {
    response.writeHead(401, { 'Content-Type': 'application/json' }).end('{"error":"invalid_token"}');
  });
  const report = await probe({ url });
  expect(stepsOf(report)).toBe('resolve connect! -initialize -list');
  expect(report.why).toMatch(/^Server 'it' needs a sign-in\..* give the server a token/);
});

test('a page that is not MCP fails initialize, and a page of an error is one line of words', async () => {
  const good = await listen((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html><body>Hello</body></html>');
  });
  const page = await probe({ url: good });
  expect(stepsOf(page)).toBe('resolve connect initialize! -list');
  expect(page.why).toBe('It answered with text/html, which is not MCP.');
  web?.close();
  const gone = await listen((_request, response) => {
    response.writeHead(404, { 'Content-Type': 'text/html' });
    response.end('<html><head><title>x</title></head><body><h1>Not\nfound</h1><p>No such page.</p></body></html>');
  });
  const missing = await probe({ url: gone });
  expect(missing.why).toBe('HTTP 404: Not found No such page. Check its url.');
});

test('an address where nothing listens, and one that is not allowed', async () => {
  const url = await listen(() => undefined);
  web?.close();
  expect((await probe({ url })).why).toContain('ECONNREFUSED');
  const refused = await probe({ url: 'http://169.254.169.254/mcp' });
  expect(stepsOf(refused)).toBe('resolve connect! -initialize -list');
  expect(refused.why).toContain('169.254.169.254');
});

test('text that a shell would run is one argument, or part of the name of a program that does not exist', async () => {
  const mark = path.join(root, 'mark');
  const odd = [
    `; touch ${mark}`,
    `$(touch ${mark})`,
    `\`touch ${mark}\``,
    `| touch ${mark}`,
    `&& touch ${mark}`,
    `\n touch ${mark}`,
  ];
  const report = await probe({
    ...(await script('console.error(JSON.stringify(process.argv.slice(2))); process.exit(3)')),
    args: ['it.mjs', ...odd],
  });
  // The line is what the program printed of its arguments.
  expect(report.why).toContain(JSON.stringify(odd).slice(0, 40));
  for (const command of [
    `node it.mjs; touch ${mark}`,
    `sh -c "touch ${mark}"`,
    `npx -c 'touch ${mark}'`,
    `$(touch ${mark})`,
  ]) {
    const refused = await probe({ command, args: [] });
    expect([command, stepsOf(refused).startsWith('resolve start!')]).toEqual([command, true]);
  }
  expect(await readdir(root)).not.toContain('mark');
});
