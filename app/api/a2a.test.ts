import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { GET as readCard } from '@/app/api/v1/projects/[project]/a2a/.well-known/agent-card.json/route';
import { POST as call } from '@/app/api/v1/projects/[project]/a2a/route';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { ensureAccessToken } from '@/lib/server/access-token';
import { readConversation } from '@/lib/server/conversations';
import { createProject } from '@/lib/server/projects';
import { startRun } from '@/lib/server/runs';
import { callAgent } from '@/lib/testing/a2a/client.mjs';
import { type A2aServer, sharedServers } from '@/lib/testing/a2a/start-server';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { endProcess, startWorkerProcess } from '@/lib/testing/worker-process';

const { url, store } = await testDatabase();
/** Processes start slowly on a machine that is busy. */
const patienceMs = 60_000;
vi.setConfig({ testTimeout: 3 * patienceMs, hookTimeout: 3 * patienceMs });

const servers = sharedServers();
let remote: A2aServer;
let server: http.Server;
let base: string;
let worker: Awaited<ReturnType<typeof startWorkerProcess>>;
let dataFolder: string;

beforeAll(async () => {
  dataFolder = await mkdtemp(path.join(tmpdir(), 'callboard-a2a-'));
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_OPEN', '1');
  server = http.createServer(serve).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  vi.stubEnv('PORT', String(port));
  base = `http://127.0.0.1:${port}`;
  remote = await servers.get();
  worker = await startWorkerProcess({ databaseUrl: url, dataFolder });
});

afterAll(async () => {
  await endProcess(worker, 'SIGKILL');
  await servers.kill();
  server.closeAllConnections();
  server.close();
  vi.unstubAllEnvs();
  await rm(dataFolder, { recursive: true, force: true });
});

/** The two routes behind a real HTTP server. */
async function serve(from: http.IncomingMessage, to: http.ServerResponse): Promise<void> {
  const [, project = ''] = /^\/api\/v1\/projects\/([^/]+)\/a2a/.exec(from.url ?? '') ?? [];
  const gone = new AbortController();
  to.once('close', () => gone.abort());
  const headers = Object.entries(from.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const body = from.method === 'POST' ? Readable.toWeb(from) : undefined;
  const init = { method: from.method, headers, signal: gone.signal, ...(body && { body, duplex: 'half' }) };
  const request = new Request(`${base}${from.url}`, init as RequestInit);
  const route = from.url?.endsWith('agent-card.json') ? readCard : call;
  const response = await route(request, { params: Promise.resolve({ project }) });
  to.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body)
    Readable.fromWeb(response.body as never)
      .on('error', () => to.destroy())
      .pipe(to);
  else to.end();
}

/** Makes a project and returns the address of its endpoint. */
async function serveProject(files: Record<string, string>): Promise<string> {
  const { id } = await createProject(localActor, { name: 'Poems', folder: folderOf(files), trust: { origin: 'api' } });
  return `${base}/api/v1/projects/${id}/a2a`;
}

const echo = () =>
  serveProject({ 'poet.md': '---\nname: poet\ndescription: Writes poems.\nmodel: passthrough\n---\nYou write.' });
/** Its entry agent is itself a remote agent, whose task lasts until it is released. */
const relay = () => serveProject({ 'far.md': `---\ntype: a2a\nname: far\nurl: ${remote.url}\n---\n` });

interface TaskJson {
  readonly id: string;
  readonly status: { readonly state: string };
  readonly artifacts?: readonly { readonly parts: readonly { readonly text: string }[] }[];
}

/** Gives the SDK's client a command, after the version of the protocol or for version 1.0. */
async function tell(endpoint: string, ...words: string[]): Promise<unknown> {
  const [version = '', ...command] = /^\d\.\d$/.test(words[0] ?? '') ? words : ['1.0', ...words];
  return await callAgent({ url: `${endpoint}/`, version, words: command });
}

/** Subscribes to a task. `begun` resolves when the first event has come. */
function watch(endpoint: string, id: string) {
  let onBegun = () => {};
  const begun = new Promise<void>((resolve) => {
    onBegun = resolve;
  });
  const events = callAgent({ url: `${endpoint}/`, version: '1.0', words: ['watch', id], onBegun });
  return { begun, events: events as Promise<unknown[]> };
}

const ask = (endpoint: string, ...words: string[]) => tell(endpoint, ...words) as Promise<TaskJson>;
const listen = (endpoint: string, ...words: string[]) => tell(endpoint, ...words) as Promise<unknown[]>;

describe.each(['1.0', '0.3'])('the client of the official SDK, version %s', (version) => {
  test('reads the card, sends a message and gets the answer', async () => {
    const endpoint = await echo();
    const card = await tell(endpoint, version, 'card');
    expect(card).toMatchObject({
      name: 'Poems',
      description: 'Writes poems.',
      capabilities: { streaming: true, pushNotifications: false },
      skills: [{ id: 'poet', name: 'poet', description: 'Writes poems.', tags: ['callboard', 'agent'] }],
    });
    const task = await ask(endpoint, version, 'send', 'a tree', 'ctx-1');
    expect(task).toMatchObject({
      contextId: 'ctx-1',
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ artifactId: 'answer', parts: [{ text: 'a tree' }] }],
      history: [{ role: 'ROLE_USER', parts: [{ text: 'a tree' }] }],
    });
    expect(await ask(endpoint, version, 'get', task.id)).toEqual(task);
  });

  test('streams states and the answer', async () => {
    const events = await listen(await echo(), version, 'stream', 'a tree');
    expect(events[0]).toMatchObject({ payload: { $case: 'task' } });
    expect(events.at(-2)).toMatchObject({
      payload: { $case: 'artifactUpdate', value: { artifact: { parts: [{ content: { value: 'a tree' } }] } } },
    });
    expect(events.at(-1)).toMatchObject({ payload: { $case: 'statusUpdate', value: { status: { state: 3 } } } });
  });
});

test('a context that is a conversation of the project goes on with it', async () => {
  const endpoint = await echo();
  const [, project = ''] = /projects\/([^/]+)/.exec(endpoint) ?? [];
  const projectId = brandAs<ProjectId>(project);
  const { conversationId = '' } = await startRun(localActor, projectId, { message: 'hello', conversationId: 'new' });
  expect(await ask(endpoint, 'send', 'and then', conversationId)).toMatchObject({ contextId: conversationId });
  const { turns } = await readConversation(localActor, projectId, conversationId, { limit: 10 });
  expect(turns.map(({ message, status }) => [message, status])).toEqual([
    ['hello', 'completed'],
    ['and then', 'completed'],
  ]);
});

describe('a task that takes time', () => {
  test('begins without waiting, polls, subscribes again, and gets the end', async () => {
    await remote.reset();
    const endpoint = await relay();
    const { id, status } = await ask(endpoint, 'begin', 'wait it');
    expect(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']).toContain(status.state);
    await expect
      .poll(async () => (await ask(endpoint, 'get', id)).status.state, { timeout: patienceMs })
      .toBe('TASK_STATE_WORKING');
    await expect.poll(async () => (await remote.seen()).messages.length, { timeout: patienceMs }).toBe(1);
    const watched = watch(endpoint, id);
    await watched.begun;
    await remote.release();
    expect((await watched.events).at(-1)).toMatchObject({ payload: { value: { status: { state: 3 } } } });
    expect(await ask(endpoint, 'get', id)).toMatchObject({
      artifacts: [{ parts: [{ text: 'first, it' }] }],
    });
    expect(await ask(endpoint, 'watch', id)).toMatchObject({ error: {} });
  });

  test('cancels, which cancels the task of the remote agent below', async () => {
    await remote.reset();
    const endpoint = await relay();
    const { id } = await ask(endpoint, 'begin', 'wait it');
    await expect.poll(async () => (await remote.seen()).messages.length, { timeout: patienceMs }).toBe(1);
    expect(await ask(endpoint, 'cancel', id)).toMatchObject({
      id,
      status: { state: 'TASK_STATE_CANCELED' },
    });
    await expect.poll(async () => (await remote.seen()).cancelled.length, { timeout: patienceMs }).toBe(1);
    expect(await ask(endpoint, 'cancel', id)).toMatchObject({ error: {} });
  });
});

describe('what cannot be done is an error that says so', () => {
  test.each([
    [['get', 'nothing'], 'TaskNotFoundError', 'There is no task nothing.'],
    [['get', '../x'], 'TaskNotFoundError', 'There is no task ../x.'],
    [['file'], 'ContentTypeNotSupportedError', 'A run takes text, data and links. Send a link in place of a file.'],
  ])('%s', async (words, name, message) => {
    expect(await ask(await echo(), ...words)).toEqual({ error: { name: name, message } });
  });

  test('a task of another project, and a further message to a task', async () => {
    const [one, other] = [await echo(), await echo()];
    const { id } = await ask(one, 'send', 'a tree');
    expect(await ask(other, 'get', id)).toMatchObject({ error: { name: 'TaskNotFoundError' } });
    expect(await ask(one, 'again', id)).toEqual({
      error: {
        name: 'UnsupportedOperationError',
        message: `Task ${id} takes no further messages. Send the message without a taskId, with the contextId of the task.`,
      },
    });
  });

  test('a run that fails gives its reason', async () => {
    const endpoint = await serveProject({ 'a.md': '---\nname: a\nmodel: nobody.knows\n---\n' });
    expect(await ask(endpoint, 'send', 'x')).toMatchObject({
      status: { state: 'TASK_STATE_FAILED', message: { role: 'ROLE_AGENT' } },
    });
  });

  test('data becomes the text of the message', async () => {
    const task = await ask(await echo(), 'data', '{"a":1}');
    expect(task.artifacts?.[0]?.parts[0]?.text).toBe('{\n  "a": 1\n}');
  });

  test.each([
    ['1.0', 'SendMessage', '"role":"ROLE_USER","parts":[{"data":DATA}]'],
    ['0.3', 'message/send', '"kind":"message","role":"user","parts":[{"kind":"data","data":DATA}]'],
  ])('data of version %s keeps the digits of its numbers', async (version, method, message) => {
    const data = '{"id":9007199254740993,"text":"9007199254740993"}';
    const params = `{"message":{"messageId":"m1",${message.replace('DATA', data)}}}`;
    const answer = await fetch(await echo(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'A2A-Version': version },
      body: `{"jsonrpc":"2.0","id":7,"method":"${method}","params":${params}}`,
    });
    const pretty = '{\n  "id": 9007199254740993,\n  "text": "9007199254740993"\n}';
    expect(await answer.text()).toContain(JSON.stringify(pretty));
  });

  test('a folder that nobody has confirmed', async () => {
    const folder = folderOf({ 'far.md': `---\ntype: a2a\nname: far\nurl: ${remote.url}\n---\n` });
    const { id } = await createProject(localActor, { name: 'Foreign', folder });
    const answer = await ask(`${base}/api/v1/projects/${id}/a2a`, 'send', 'x');
    expect(answer).toMatchObject({ error: { name: 'UnsupportedOperationError' } });
  });

  test('a project without agents, and one that is not there', async () => {
    const empty = await serveProject({ 'notes.txt': 'nothing' });
    const card = (endpoint: string) => fetch(`${endpoint}/.well-known/agent-card.json`);
    expect((await card(empty)).status).toBe(404);
    expect((await card(`${base}/api/v1/projects/none/a2a`)).status).toBe(404);
  });

  test.each([
    ['no JSON', 'nonsense', -32602],
    ['no method', '{"jsonrpc":"2.0","id":1}', -32602],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"Dance","params":{}}', -32601],
    ['a list of tasks', '{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{}}', -32004],
    ['a message without parts', '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{}}}', -32602],
  ])('%s', async (_, body, code) => {
    const headers = { 'content-type': 'application/json', 'A2A-Version': '1.0' };
    const answer = await fetch(await echo(), { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', error: { code } });
  });

  test('a version that is not spoken', async () => {
    const headers = { 'content-type': 'application/json', 'A2A-Version': '9.0' };
    const body = '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"x"}}';
    const answer = await fetch(await echo(), { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({ id: 1, error: { code: -32009 } });
  });
});

describe('where a token is needed', () => {
  let token: string;

  beforeAll(() => {
    vi.stubEnv('CALLBOARD_OPEN', '');
    vi.stubEnv('CALLBOARD_DATA', dataFolder);
    token = ensureAccessToken(dataFolder);
  });
  afterAll(() => void vi.stubEnv('CALLBOARD_OPEN', '1'));

  test.each([
    ['none', {}],
    ['another', { authorization: 'Bearer wrong' }],
  ])('neither card nor endpoint answers %s', async (_, headers) => {
    const endpoint = await echo();
    expect((await fetch(`${endpoint}/.well-known/agent-card.json`, { headers })).status).toBe(401);
    expect((await fetch(endpoint, { method: 'POST', headers, body: '{}' })).status).toBe(401);
  });

  test('the card says so, in the form of each version', async () => {
    const endpoint = await echo();
    const card = async (headers: Record<string, string>) => {
      const sent = { authorization: `Bearer ${token}`, ...headers };
      return (await fetch(`${endpoint}/.well-known/agent-card.json`, { headers: sent })).json();
    };
    expect(await card({ 'A2A-Version': '1.0' })).toMatchObject({
      supportedInterfaces: [{ url: endpoint, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }, {}],
      securitySchemes: { token: { httpAuthSecurityScheme: { scheme: 'bearer' } } },
      securityRequirements: [{ schemes: { token: {} } }],
    });
    expect(await card({})).toMatchObject({
      url: endpoint,
      protocolVersion: '0.3.0',
      preferredTransport: 'JSONRPC',
      supportsAuthenticatedExtendedCard: false,
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      security: [{ token: [] }],
    });
  });

  test('a client that sends it is served', async () => {
    const call = { url: `${await echo()}/`, token, version: '1.0', words: ['send', 'a tree'] };
    expect(await callAgent(call)).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
  });
});

test('a worker that is killed does not lose the task of its remote agent', async () => {
  await remote.reset();
  const endpoint = await relay();
  const { id } = await ask(endpoint, 'begin', 'wait it');
  await expect.poll(async () => (await decisions(id)).length, { timeout: patienceMs }).toBeGreaterThan(0);
  await endProcess(worker, 'SIGKILL');
  worker = await startWorkerProcess({ databaseUrl: url, dataFolder });
  await expect
    .poll(async () => (await remote.seen()).requests.filter(readsCard).length, { timeout: patienceMs })
    .toBe(2);
  await remote.release();
  await expect
    .poll(async () => (await ask(endpoint, 'get', id)).artifacts?.[0]?.parts[0]?.text, { timeout: patienceMs })
    .toBe('first, it');
  const { messages, cancelled } = await remote.seen();
  expect([messages.length, cancelled]).toEqual([1, []]);
});

async function decisions(runId: string) {
  const { rows } = await store.pool.query(
    `SELECT 1 FROM "Event" WHERE "runId" = $1 AND body LIKE '%workflow.decided%'`,
    [runId],
  );
  return rows;
}

/** Each worker that calls the agent reads its card once. */
const readsCard = ({ path: at }: { readonly path: string }) => at.endsWith('agent-card.json');
