import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isRecord, type Json } from '@/lib/base/json';
import type { ServerConfig } from '@/lib/cards/config';
import { systemClock } from '@/lib/jobs/system-clock';
import type { AskedByServer, LogBody, ToolCallContext } from '@/lib/runtime/ports';
import { textOf } from '@/lib/runtime/record/messages';
import { agentCard } from '@/lib/testing/graph-of';
import { callContext, configOf, toolNamed, writeServer } from '@/lib/testing/mcp-servers';
import { ended } from '@/lib/testing/people-desk';
import { createMcpPool, type McpPool } from './pool';

/** Tools that are called as tasks: by a server over HTTP that follows a script, and by one of the SDK over stdio. */

let root: string;
let pools: McpPool[];
let servers: http.Server[];

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-tasks-'));
  [pools, servers] = [[], []];
});

afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await rm(root, { recursive: true, force: true });
});

/** Calls tools of a server from a worker of its own. */
async function open(server: Partial<ServerConfig>, asksPeople = false) {
  const pool = createMcpPool({ clock: systemClock, log: () => undefined, env: { PATH: process.env.PATH } });
  pools.push(pool);
  const consentOf = () => ({ sampling: 'never' as const, elicitation: true });
  const port = pool.port({ config: configOf({ own: server }), root, ...(asksPeople && { consentOf }) });
  const { tools, issues } = await port.list(agentCard('lead', { servers: ['own'] }), new AbortController().signal);
  expect(issues).toEqual([]);
  return async (name: string, context: Partial<ToolCallContext> = {}) => {
    const result = await port.call(toolNamed(tools, `own__${name}`), {}, callContext(context));
    return result.isError ? `${result.errorCode}: ${textOf(result.content)}` : textOf(result.content);
  };
}

/** What a call keeps for the worker that goes on. */
function keeping(value?: Json) {
  const store = { value };
  const kept = {
    read: () => Promise.resolve(store.value),
    write: (next: Json | undefined) => {
      store.value = next;
      return Promise.resolve();
    },
  };
  return { store, kept };
}

/** Answers a request, or breaks its answer off. */
interface Reply {
  readonly result: (value: object) => void;
  readonly error: (code: number, message: string) => void;
  readonly cut: () => void;
}

interface Script {
  readonly capabilities?: object;
  readonly call?: (reply: Reply) => void;
  readonly result?: (reply: Reply, asked: number) => void;
  readonly get?: (reply: Reply, asked: number) => void;
}

const working = { taskId: 't1', status: 'working', ttl: 60_000, pollInterval: 500 };
const done = { content: [{ type: 'text', text: 'done' }] };
const hasTasks = { tasks: { cancel: {}, requests: { tools: { call: {} } } } };

async function serve(script: Script) {
  const seen: string[] = [];
  const server = http.createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const parts: Buffer[] = [];
    for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part);
    const message: unknown = JSON.parse(Buffer.concat(parts).toString());
    if (!isRecord(message) || message.id === undefined) return response.writeHead(202).end();
    const { id, method } = message;
    const params = isRecord(message.params) ? message.params : {};
    const send = (value: object) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...value }));
    };
    const reply: Reply = {
      result: (result) => send({ result }),
      error: (code, said) => send({ error: { code, message: said } }),
      cut: () => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': gone\n\n'),
    };
    const asked = seen.filter((one) => one === method).length + 1;
    if (method === 'initialize') {
      const capabilities = { tools: {}, ...(script.capabilities ?? hasTasks) };
      const { protocolVersion } = params;
      return reply.result({ protocolVersion, capabilities, serverInfo: { name: 'own', version: '1' } });
    }
    if (method === 'tools/list') {
      const tool = (name: string, taskSupport: string, readOnlyHint = false) => ({
        ...{ name, inputSchema: { type: 'object' }, execution: { taskSupport }, annotations: { readOnlyHint } },
      });
      const tools = [tool('long', 'required'), tool('may', 'optional'), tool('read', 'optional', true)];
      return reply.result({ tools: [...tools, tool('plain', 'forbidden')] });
    }
    if (method === 'ping') return reply.result({});
    seen.push(method === 'tools/call' && params.task === undefined ? 'tools/call alone' : String(method));
    if (method === 'tools/call') {
      if (params.task === undefined) return reply.result(done);
      return script.call === undefined ? reply.result({ task: working }) : script.call(reply);
    }
    if (method === 'tasks/result')
      return script.result === undefined ? reply.result(done) : script.result(reply, asked);
    if (method === 'tasks/get') return script.get === undefined ? reply.result(working) : script.get(reply, asked);
    return reply.result({ ...working, status: 'cancelled' });
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/mcp`;
  return { url, seen, of: (method: string) => seen.filter((one) => one === method).length };
}

describe('a tool that may run as a task', () => {
  test('is called as one if it must be, or if a second call could do harm', async () => {
    const { url, seen } = await serve({});
    const call = await open({ url });
    for (const name of ['long', 'may', 'read', 'plain']) expect(await call(name)).toBe('done');
    const asTask = ['tools/call', 'tasks/result'];
    expect(seen).toEqual([...asTask, ...asTask, 'tools/call alone', 'tools/call alone']);
  });

  test('is called alone at a server that does not offer tasks', async () => {
    const { url, seen } = await serve({ capabilities: { tasks: { requests: {} } } });
    const call = await open({ url });
    expect(await call('long')).toBe('done');
    expect(seen).toEqual(['tools/call alone']);
  });

  test('may answer at once', async () => {
    const { url, seen } = await serve({ call: ({ result }) => result(done) });
    const call = await open({ url });
    expect(await call('long')).toBe('done');
    expect(seen).toEqual(['tools/call']);
  });
});

describe('a task', () => {
  test('outlives connections that break, as often as they do, and is begun once', async () => {
    const { url, of } = await serve({ result: ({ cut, result }, asked) => (asked < 4 ? cut() : result(done)) });
    const call = await open({ url });
    expect(await call('long')).toBe('done');
    expect([of('tools/call'), of('tasks/result')]).toEqual([1, 4]);
  });

  test('is given up when its server says nothing between two breaks', async () => {
    const { url, of } = await serve({ result: ({ cut }) => cut(), get: ({ cut }) => cut() });
    const call = await open({ url });
    expect(await call('long')).toMatch(/^SERVER_UNAVAILABLE: .* may or may not have taken effect\.$/);
    expect(of('tools/call')).toBe(1);
  });

  test('is continued by the worker that goes on with the run, which calls nothing again', async () => {
    const { url, of } = await serve({ result: ({ result }, asked) => asked > 1 && result(done) });
    const { store, kept } = keeping();
    const first = await open({ url });
    void first('long', { kept });
    await expect.poll(() => of('tasks/result')).toBe(1);
    expect(store.value).toEqual({ task: 't1', server: 'own', agent: 'lead' });
    await pools[0]?.close();
    const second = await open({ url });
    expect(await second('long', { kept: keeping({ task: 't1' }).kept })).toBe('done');
    expect(of('tools/call')).toBe(1);
  });

  test('that its server has forgotten is not begun anew', async () => {
    const { url, of } = await serve({ result: ({ error }) => error(-32602, 'Task not found: t0') });
    const call = await open({ url });
    const { store, kept } = keeping({ task: 't0' });
    expect(await call('long', { kept })).toBe(
      "TOOL_FAILED: Server 'own' does not know the task of this call any more. It keeps a task for 60 s. The call may or may not have taken effect.",
    );
    expect([of('tools/call'), store.value]).toMatchObject([0, { task: 't0', hasEnded: true }]);
  });

  test('is cancelled at the server when the run is stopped', async () => {
    const { url, of } = await serve({ result: () => undefined });
    const call = await open({ url });
    const abort = new AbortController();
    const { store, kept } = keeping();
    const answer = call('long', { signal: abort.signal, kept });
    await expect.poll(() => of('tasks/result')).toBe(1);
    abort.abort();
    expect(await answer).toBe('TOOL_FAILED: The call was cancelled.');
    await expect.poll(() => of('tasks/cancel')).toBe(1);
    // A repeated execution of this call must not begin another task.
    expect(store.value).toEqual({ task: 't1', server: 'own', agent: 'lead' });
  });

  test('takes longer than the time limit as long as its server says that it works, and what it says is told', async () => {
    const said = ['one', 'two', 'two', 'three'];
    let finish = () => {};
    const { url } = await serve({
      result: ({ result }) => {
        finish = () => result(done);
      },
      get: ({ result }, asked) => {
        result({ ...working, statusMessage: said[asked - 1] });
        if (asked === said.length) finish();
      },
    });
    const logs: LogBody[] = [];
    const call = await open({ url, readTimeoutSeconds: 1 });
    expect(await call('long', { log: (body) => void logs.push(body) })).toBe('done');
    expect(logs.filter(({ code }) => code === 'tool_task').map(({ message }) => message)).toEqual([
      ...['The call goes on as a task of the server.', 'one', 'two', 'three'],
    ]);
  });

  test('of a server that says nothing ends at the time limit, and is cancelled', async () => {
    const { url, of } = await serve({ result: () => undefined, get: () => undefined });
    const call = await open({ url, readTimeoutSeconds: 1 });
    expect(await call('long')).toBe("TOOL_TIMEOUT: Tool 'own__long' gave no result within 1 s.");
    await expect.poll(() => of('tasks/cancel')).toBe(1);
  });
});

describe('a server of the SDK', () => {
  const long = `server.experimental.tasks.registerToolTask('long', { execution: { taskSupport: 'required' } }, {
  createTask: async ({ taskStore, taskRequestedTtl }) => {
    const task = await taskStore.createTask({ ttl: taskRequestedTtl, pollInterval: 500 });
    appendFileSync('tasks', task.ttl + '\\n');
    void server.server.elicitInput({ message: 'Which city?', requestedSchema: { type: 'object', properties: { city: { type: 'string' } } } }, { relatedTask: { taskId: task.taskId } })
      .then(({ content }) => taskStore.storeTaskResult(task.taskId, 'completed', text('in ' + content.city)), (error) => taskStore.storeTaskResult(task.taskId, 'failed', { ...text(error.message), isError: true }));
    return { task };
  },
  getTask: async ({ taskStore, taskId }) => await taskStore.getTask(taskId),
  getTaskResult: async ({ taskStore, taskId }) => await taskStore.getTaskResult(taskId),
});`;

  test('asks a person from its task, and the answer is its result', async () => {
    const call = await open(await writeServer(root, long, { tasks: true }), true);
    const asked: (string | undefined)[] = [];
    const ask = ({ server }: AskedByServer) => {
      asked.push(server.message);
      return Promise.resolve(ended({ decision: 'answer', content: { city: 'Oslo' } }));
    };
    expect(await call('long', { ask })).toBe('in Oslo');
    expect(asked).toEqual(['Which city?']);
    expect(await readFile(path.join(root, 'tasks'), 'utf8')).toBe('86400000\n');
  });
});
