import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '@/lib/jobs/system-clock';
import type { LogBody } from '@/lib/runtime/ports';
import { textOf } from '@/lib/runtime/record/messages';
import { agentCard } from '@/lib/testing/graph-of';
import { liveProcesses } from '@/lib/testing/live-processes';
import { callContext, configOf, modulePath, toolNamed, writeServer } from '@/lib/testing/mcp-servers';
import { createMcpPool, type McpPool } from './pool';

let root: string;
let pool: McpPool;
let logs: LogBody[];

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-mcp-'));
  logs = [];
  pool = newPool();
});

afterEach(async () => {
  await pool.close();
  await rm(root, { recursive: true, force: true });
});

function newPool(options: { connectTimeoutMs?: number; idleMs?: number } = {}): McpPool {
  const env = { PATH: process.env.PATH };
  const projectEnv = { SECRET_TOKEN: 'hush-hush-hush', CITY: 'Oslo' };
  return createMcpPool({ clock: systemClock, log: (body) => logs.push(body), env, projectEnv, ...options });
}

const everything = { command: 'node', args: [modulePath('@modelcontextprotocol/server-everything/dist/index.js')] };
const signal = new AbortController().signal;

const ownServer = (source: string, file?: string) => writeServer(root, source, { file });

const starts = async () => (await readFile(path.join(root, 'starts'), 'utf8')).trim().split('\n');

test('lists a real server’s tools under its name and calls them', async () => {
  const port = pool.port({ config: configOf({ every: everything }), root });
  const card = agentCard('lead', { servers: ['every'] });
  const { tools, issues } = await port.list(card, signal);
  expect(issues).toEqual([]);
  expect(tools.slice(0, 2).map((tool) => tool.name)).toEqual(['every__echo', 'every__get-annotated-message']);
  expect(toolNamed(tools, 'every__echo')).toMatchObject({
    description: 'Echoes back the input string',
    source: 'mcp',
    serverName: 'every',
    remoteName: 'echo',
  });
  const echo = await port.call(toolNamed(tools, 'every__echo'), { message: 'hi' }, callContext());
  expect(echo).toEqual({ content: [{ type: 'text', text: 'Echo: hi' }], isError: false });
  const weather = await port.call(
    toolNamed(tools, 'every__get-structured-content'),
    { location: 'Chicago' },
    callContext(),
  );
  expect(weather.structuredContent).toMatchObject({ conditions: expect.any(String) });
  const image = await port.call(toolNamed(tools, 'every__get-tiny-image'), {}, callContext());
  expect(image.content.map((block) => block.type)).toEqual(['text', 'image', 'text']);
  const links = await port.call(toolNamed(tools, 'every__get-resource-links'), { count: 1 }, callContext());
  expect(links.content[1]).toMatchObject({ type: 'resource_link', uri: expect.stringContaining('://') });
  const embedded = await port.call(toolNamed(tools, 'every__get-resource-reference'), {}, callContext());
  expect(embedded.content[1]).toMatchObject({ type: 'resource', text: expect.any(String) });
  const wrong = await port.call(toolNamed(tools, 'every__get-sum'), { a: 'x' }, callContext());
  expect(wrong).toMatchObject({ isError: true, errorCode: 'TOOL_FAILED' });
});

test('runs in the folder, in a clean environment with its own variables filled in', async () => {
  await writeFile(path.join(root, 'note.txt'), 'from the folder');
  const files = { command: 'node', args: [modulePath('@modelcontextprotocol/server-filesystem/dist/index.js'), '.'] };
  const env = { WHERE: `\${CITY}`, ZONE: `\${ZONE:UTC}`, API_KEY: `\${SECRET_TOKEN}` };
  const port = pool.port({ config: configOf({ files, every: { ...everything, env } }), root });
  const { tools } = await port.list(agentCard('lead', { servers: ['files', 'every'] }), signal);
  const text = await port.call(toolNamed(tools, 'files__read_text_file'), { path: 'note.txt' }, callContext());
  expect(textOf(text.content)).toBe('from the folder');
  const printed = await port.call(toolNamed(tools, 'every__get-env'), {}, callContext());
  expect(JSON.parse(textOf(printed.content))).toEqual({
    PATH: process.env.PATH,
    WHERE: 'Oslo',
    ZONE: 'UTC',
    API_KEY: '***',
    // Marks servers with this process, to find servers that outlive it.
    CALLBOARD_CODE_PROCESS: expect.stringMatching(`^${process.pid}-`),
  });
});

test('filters tools by globs on their bare names', async () => {
  const own = await ownServer(
    `for (const name of ['add', 'get_time', 'get_zone', 'set']) server.registerTool(name, {}, () => text(name));`,
  );
  const port = pool.port({ config: configOf({ own }), root });
  const shown = async (tools: Record<string, readonly string[]>) =>
    (await port.list(agentCard('lead', { servers: ['own'], tools }), signal)).tools.map((tool) => tool.remoteName);
  expect(await shown({})).toEqual(['add', 'get_time', 'get_zone', 'set']);
  expect(await shown({ own: [] })).toEqual([]);
  expect(await shown({ own: ['get_*', 's?t'] })).toEqual(['get_time', 'get_zone', 'set']);
  expect(await shown({ own: ['own__*'] })).toEqual([]);
});

test('one process serves many instances and calls at once', async () => {
  const own = await ownServer(`let most = 0, now = 0;
server.registerTool('meet', {}, async () => { now += 1; most = Math.max(most, now); await new Promise(r => setTimeout(r, 20)); now -= 1; return text(most); });`);
  const config = configOf({ own });
  const ports = [pool.port({ config, root }), pool.port({ config, root })];
  const lists = await Promise.all(
    ports.flatMap((port) => [1, 2, 3].map(() => port.list(agentCard('lead', { servers: ['own'] }), signal))),
  );
  const tool = toolNamed(lists[0]?.tools ?? [], 'own__meet');
  const results = await Promise.all(Array.from({ length: 50 }, (_, i) => ports[i % 2]?.call(tool, {}, callContext())));
  expect(results.map((result) => result?.isError)).toEqual(Array.from({ length: 50 }, () => false));
  expect(Math.max(...results.map((result) => Number(textOf(result?.content ?? []))))).toBeGreaterThan(10);
  expect(await starts()).toHaveLength(1);
});

test('a changed list raises the version and is listed anew', async () => {
  const own = await ownServer(
    `server.registerTool('grow', {}, () => { server.registerTool('grown', {}, () => text('yes')); return text('ok'); });`,
  );
  const port = pool.port({ config: configOf({ own }), root });
  const card = agentCard('lead', { servers: ['own'] });
  const { tools } = await port.list(card, signal);
  const before = port.version(card);
  await port.call(toolNamed(tools, 'own__grow'), {}, callContext());
  expect(port.version(card)).toBeGreaterThan(before);
  expect((await port.list(card, signal)).tools.map((tool) => tool.name)).toEqual(['own__grow', 'own__grown']);
});

test('a server that exits, hangs or prints garbage is an issue naming command and output', async () => {
  await pool.close();
  pool = newPool({ connectTimeoutMs: 3_000 });
  const program = async (file: string, source: string) => {
    await writeFile(path.join(root, file), source);
    return { command: 'node', args: [file], env: { TOKEN: `\${SECRET_TOKEN}` } };
  };
  const config = configOf({
    exits: await program('exits.mjs', 'console.error("no config, token hush-hush-hush"); process.exit(3)'),
    hangs: await program('hangs.mjs', 'console.error("thinking"); setInterval(() => {}, 1000)'),
    chats: await program('chats.mjs', 'console.log("Welcome!"); setInterval(() => {}, 1000)'),
  });
  const card = agentCard('lead', { servers: ['exits', 'hangs', 'chats'] });
  const { tools, issues } = await pool.port({ config, root }).list(card, signal);
  expect(tools).toEqual([]);
  expect(issues[0]).toMatchObject({ code: 'server-unavailable', agent: 'lead', file: 'agent-cards/lead.md' });
  expect(issues.map((issue) => issue.message)).toEqual([
    "Server 'exits' did not start: `node exits.mjs` exited with code 3. no config, token ***\nLast output:\nno config, token ***",
    "Server 'hangs' did not start: `node hangs.mjs` gave no answer within 3 s. thinking\nLast output:\nthinking",
    "Server 'chats' did not start: `node chats.mjs` gave no answer within 3 s. Welcome!\nLast output:\nWelcome!",
  ]);
});

test.each<[string, Parameters<typeof configOf>[0][string], RegExp]>([
  [
    'a missing working folder',
    { command: 'node', cwd: 'data/gone' },
    /'s' did not start: `node` cannot work in the folder 'gone', because it does not exist\. It printed nothing\./,
  ],
  ['a missing program', { command: 'no-such-program' }, /'s' did not start: `no-such-program` was not found: /],
  [
    'a missing variable',
    { command: 'node', args: [`\${NOPE}`] },
    /'s' cannot be used: it asks for the variable NOPE, which this installation does not give to projects/,
  ],
  ['a metadata address', { url: 'http://169.254.169.254/mcp' }, /'s' is not called: .*link-local/],
  ['a metadata address in disguise', { url: 'http://[::ffff:169.254.169.254]/mcp' }, /'s' is not called: .*link-local/],
  ['a closed port', { url: 'http://127.0.0.1:9/mcp' }, /'s' could not be reached: `http:\/\/127.0.0.1:9\/mcp` failed/],
  ['nothing to start', {}, /'s' cannot be used: it has neither a command nor a url/],
])('%s is an issue', async (_, server, expected) => {
  const { issues } = await pool
    .port({ config: configOf({ s: server }), root })
    .list(agentCard('lead', { servers: ['s'] }), signal);
  expect(issues[0]?.message).toMatch(expected);
});

test('a server that is not defined is an issue, and the others still work', async () => {
  const own = await ownServer(`server.registerTool('ok', {}, () => text('ok'));`);
  const listed = await pool
    .port({ config: configOf({ own }), root })
    .list(agentCard('lead', { servers: ['ghost', 'own'] }), signal);
  expect(listed.tools.map((tool) => tool.name)).toEqual(['own__ok']);
  expect(listed.issues.map((issue) => issue.message)).toEqual([
    "Server 'ghost' cannot be used: it is not defined. Add it under mcp.servers in fast-agent.yaml.",
  ]);
});

test('a card’s mcp_connect target is a server of its own', async () => {
  await ownServer(`server.registerTool('ok', {}, () => text('ok'));`);
  const entry = {
    name: 'own',
    target: 'node "server.mjs"',
    connectorId: undefined,
    description: undefined,
    headers: {},
    accessToken: undefined,
  };
  const port = pool.port({ config: configOf({}), root });
  const { tools } = await port.list(agentCard('lead', { mcpConnect: [entry] }), signal);
  expect(textOf((await port.call(toolNamed(tools, 'own__ok'), {}, callContext())).content)).toBe('ok');
});

test('cancelling reaches the server, and other calls go on', async () => {
  const own = await ownServer(`server.registerTool('wait', {}, (extra) => new Promise((resolve) => {
  appendFileSync('begun', '1');
  extra.signal.addEventListener('abort', () => { appendFileSync('cancelled', '1'); resolve(text('late')); });
}));
server.registerTool('ok', {}, () => text('ok'));`);
  const port = pool.port({ config: configOf({ own }), root });
  const { tools } = await port.list(agentCard('lead', { servers: ['own'] }), signal);
  const control = new AbortController();
  const pending = port.call(toolNamed(tools, 'own__wait'), {}, callContext({ signal: control.signal }));
  await expect.poll(() => existsSync(path.join(root, 'begun'))).toBe(true);
  control.abort();
  expect(await pending).toMatchObject({ isError: true, content: [{ type: 'text', text: 'The call was cancelled.' }] });
  await expect.poll(() => existsSync(path.join(root, 'cancelled'))).toBe(true);
  expect(textOf((await port.call(toolNamed(tools, 'own__ok'), {}, callContext())).content)).toBe('ok');
});

test('a JSON-RPC error or a shape of the server’s own is an answer, not a loss', async () => {
  const own = await ownServer(`server.registerTool('ok', {}, () => text('ok'));
server.registerTool('odd', {}, () => text('odd'));
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
server.server.setRequestHandler(types.CallToolRequestSchema, ({ params }, { requestId }) => {
  if (params.name === 'odd') send({ id: requestId, result: { content: 'text' } });
  else send({ id: requestId, error: { code: -32000, message: 'no such ticket' } });
  return new Promise(() => {});
});`);
  const port = pool.port({ config: configOf({ own }), root });
  const { tools } = await port.list(agentCard('lead', { servers: ['own'] }), signal);
  expect(await port.call(toolNamed(tools, 'own__ok'), {}, callContext())).toMatchObject({
    errorCode: 'TOOL_FAILED',
    content: [{ type: 'text', text: 'no such ticket' }],
  });
  expect(await port.call(toolNamed(tools, 'own__odd'), {}, callContext())).toMatchObject({
    errorCode: 'TOOL_FAILED',
    content: [
      {
        text: "Tool 'own__odd' answered in a form that MCP does not have: 'content' is missing or of another type. Have it corrected at server 'own'.",
      },
    ],
  });
  expect(await starts()).toHaveLength(1);
});

test('a call beyond the server’s read timeout is a time-out', async () => {
  const own = await ownServer(`server.registerTool('wait', {}, () => new Promise(() => {}));`);
  const port = pool.port({ config: configOf({ own: { ...own, readTimeoutSeconds: 0.3 } }), root });
  const { tools } = await port.list(agentCard('lead', { servers: ['own'] }), signal);
  expect(await port.call(toolNamed(tools, 'own__wait'), {}, callContext())).toMatchObject({
    errorCode: 'TOOL_TIMEOUT',
    content: [{ type: 'text', text: "Tool 'own__wait' gave no result within 0.3 s." }],
  });
});

test('a server that dies is started again: at once for a read-only tool, for the next call otherwise', async () => {
  const own = await ownServer(`const die = () => { appendFileSync('died', '1'); process.exit(1); };
import { existsSync } from 'node:fs';
server.registerTool('read', { annotations: { readOnlyHint: true } }, () => existsSync('died') ? text('read') : die());
server.registerTool('write', {}, die);
server.registerTool('ok', {}, () => text('ok'));`);
  const port = pool.port({ config: configOf({ own }), root });
  const { tools } = await port.list(agentCard('lead', { servers: ['own'] }), signal);
  expect(textOf((await port.call(toolNamed(tools, 'own__read'), {}, callContext())).content)).toBe('read');
  const lost = await port.call(toolNamed(tools, 'own__write'), {}, callContext());
  expect(lost).toMatchObject({ isError: true, errorCode: 'SERVER_UNAVAILABLE' });
  expect(textOf(lost.content)).toBe(
    "Server 'own' was lost during the call: it exited with code 1. The call may or may not have taken effect.",
  );
  expect(textOf((await port.call(toolNamed(tools, 'own__ok'), {}, callContext())).content)).toBe('ok');
  expect(await starts()).toHaveLength(3);
});

test('what a server logs and prints reaches the worker’s log and the run that is calling', async () => {
  const own = await ownServer(`server.registerTool('talk', {}, async () => {
  console.error('on stderr'); console.log('on stdout');
  await server.server.sendLoggingMessage({ level: 'warning', logger: 'clock', data: 'drifts' });
  await new Promise(r => setTimeout(r, 50));
  return text('ok');
});`);
  const port = pool.port({ config: configOf({ own }), root });
  const { tools } = await port.list(agentCard('lead', { servers: ['own'] }), signal);
  const run: LogBody[] = [];
  const context = callContext({ log: (body) => run.push(body) });
  expect(textOf((await port.call(toolNamed(tools, 'own__talk'), {}, context)).content)).toBe('ok');
  const expected = [
    { level: 'info', code: 'server_stderr', message: 'on stderr', serverName: 'own' },
    { level: 'warning', code: 'server_stdout', message: 'on stdout', serverName: 'own' },
    { level: 'warning', code: 'server_log', message: 'clock: drifts', serverName: 'own' },
  ];
  expect(run).toHaveLength(3);
  expect(run).toEqual(expect.arrayContaining(expected));
  expect(logs).toEqual(expect.arrayContaining(expected));
});

test('a result of 20 MB passes whole', async () => {
  const own = await ownServer(`server.registerTool('big', {}, () => text('x'.repeat(20_000_000)));`);
  const port = pool.port({ config: configOf({ own }), root });
  const { tools } = await port.list(agentCard('lead', { servers: ['own'] }), signal);
  expect(textOf((await port.call(toolNamed(tools, 'own__big'), {}, callContext())).content)).toHaveLength(20_000_000);
});

test('an idle server is closed, its tools stay listed, and a call starts it again', async () => {
  await pool.close();
  pool = newPool({ idleMs: 100 });
  const own = await ownServer(`process.on('exit', () => appendFileSync('exits', '1'));
server.registerTool('ok', {}, () => text('ok'));`);
  const port = pool.port({ config: configOf({ own }), root });
  const { tools } = await port.list(agentCard('lead', { servers: ['own'] }), signal);
  await expect.poll(() => existsSync(path.join(root, 'exits'))).toBe(true);
  expect((await port.list(agentCard('lead', { servers: ['own'] }), signal)).tools).toHaveLength(1);
  expect(await starts()).toHaveLength(1);
  expect(textOf((await port.call(toolNamed(tools, 'own__ok'), {}, callContext())).content)).toBe('ok');
});

test('closing the pool ends servers, also those that ignore it and what they started', async () => {
  const own = await ownServer(
    `import { spawn } from 'node:child_process';
const child = spawn('node', ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 61043)'], { stdio: 'ignore' });
process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);
server.registerTool('child', {}, () => text('ok'));`,
    'server-61043.mjs',
  );
  const port = pool.port({ config: configOf({ own }), root });
  const { tools } = await port.list(agentCard('lead', { servers: ['own'] }), signal);
  await port.call(toolNamed(tools, 'own__child'), {}, callContext());
  await expect.poll(() => liveProcesses('setInterval(() => {}, 61043)')).toBe(1);
  await pool.close();
  await expect.poll(() => liveProcesses('setInterval(() => {}, 61043)')).toBe(0);
  await expect.poll(() => liveProcesses(own.args[0] ?? '')).toBe(0);
  expect(await port.call(toolNamed(tools, 'own__child'), {}, callContext())).toMatchObject({
    errorCode: 'SERVER_UNAVAILABLE',
  });
});

test('the servers of a folder that is left end, and those of other folders go on', async () => {
  // Process ids do not identify a start, since each server may have its own PID namespace.
  const source = `const start = crypto.randomUUID(); server.registerTool('start', {}, () => text(start));`;
  const own = await ownServer(source, 'left-61044.mjs');
  const elsewhere = await mkdtemp(path.join(tmpdir(), 'callboard-mcp-'));
  const other = await writeServer(elsewhere, source, { file: 'kept-61044.mjs' });
  const startIn = async (folder: string, server: typeof own) => {
    const port = pool.port({ config: configOf({ own: server }), root: folder });
    const { tools } = await port.list(agentCard('lead', { servers: ['own'] }), signal);
    return textOf((await port.call(toolNamed(tools, 'own__start'), {}, callContext())).content);
  };
  const [first, kept] = [await startIn(root, own), await startIn(elsewhere, other)];
  await pool.leave(root);
  expect(liveProcesses('left-61044.mjs')).toBe(0);
  expect(await startIn(elsewhere, other)).toBe(kept);
  expect(await startIn(root, own)).not.toBe(first);
  await rm(elsewhere, { recursive: true, force: true });
});
