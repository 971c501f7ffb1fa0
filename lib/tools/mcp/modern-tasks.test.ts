import { once } from 'node:events';
import http from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { ItemEnd } from '@/lib/base/pending';
import { RunLeft } from '@/lib/base/run-left';
import { systemClock } from '@/lib/jobs/system-clock';
import type { AskedByServer, LogBody, ToolCallContext } from '@/lib/runtime/ports';
import { textOf } from '@/lib/runtime/record/messages';
import { agentCard } from '@/lib/testing/graph-of';
import { callContext, configOf, toolNamed } from '@/lib/testing/mcp-servers';
import { ended } from '@/lib/testing/people-desk';
import { createMcpPool, type McpPool } from './pool';

/** Tasks of protocol 2026-07-28, by a server over HTTP that is written against the wire. */

let pools: McpPool[];
let servers: http.Server[];

beforeEach(() => {
  [pools, servers] = [[], []];
});

afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Polls so often that no test waits for it. */
const quick = { ...systemClock, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 50, signal) };

/** Calls the tool of a server from a worker of its own. */
async function open(url: string, { asks = true, samples = false, readTimeoutSeconds = 30 } = {}) {
  const pool = createMcpPool({ clock: quick, log: () => undefined, env: {} });
  pools.push(pool);
  const consentOf = () => ({ sampling: samples ? ('allow' as const) : ('never' as const), elicitation: asks });
  // Without people an earlier protocol would be tried first.
  const protocolMode = asks ? 'auto' : 'modern';
  const config = configOf({ own: { url, readTimeoutSeconds, pingIntervalSeconds: 0, protocolMode } });
  const port = pool.port({ config, root: '/', consentOf });
  const { tools, issues } = await port.list(agentCard('lead', { servers: ['own'] }), new AbortController().signal);
  expect(issues).toEqual([]);
  return async (context: Partial<ToolCallContext> = {}) => {
    const result = await port.call(toolNamed(tools, 'own__long'), {}, callContext(context));
    const text = textOf(result.content);
    return result.isError ? `${result.errorCode}: ${text}` : text;
  };
}

/** What a call keeps for the worker that goes on. */
function keeping(value?: Json) {
  const store = { value };
  const kept = {
    read: async () => store.value,
    write: async (next: Json | undefined) => {
      store.value = next;
    },
  };
  return { store, kept };
}

/** One answer: a result, an error with its code, or a stream that breaks off. */
type Answer = JsonObject | readonly [code: number, message: string] | 'cut' | 'silence';

interface Script {
  readonly isLegacy?: boolean;
  readonly call?: Answer;
  /** What `tasks/get` answers, one after the other and the last one again and again. */
  readonly get?: readonly Answer[];
  readonly update?: Answer;
  readonly cancel?: Answer;
  /** `tasks/cancel` is answered after this. */
  readonly beforeCancel?: Promise<void>;
}

const version = '2026-07-28';
const begun = { resultType: 'task', taskId: 't1', status: 'working', ttlMs: 60_000, pollIntervalMs: 500 };
const state = (status: string, more: JsonObject = {}): JsonObject => ({
  ...{ resultType: 'complete', taskId: 't1', status, ttlMs: 60_000, pollIntervalMs: 500, ...more },
});
const done = state('completed', { result: { resultType: 'complete', content: [{ type: 'text', text: 'done' }] } });
const asking = (...keys: string[]) =>
  state('input_required', { inputRequests: Object.fromEntries(keys.map((key) => [key, form(key)])) });
const form = (message: string): JsonObject => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: { type: 'object', properties: { city: { type: 'string' } } } },
});

async function serve(script: Script) {
  const seen: { method: string; params: JsonObject }[] = [];
  const of = (method: string) => seen.filter((one) => one.method === method);
  /** The requests that their sender left before they were answered. */
  const left: string[] = [];
  const server = http.createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const parts: Buffer[] = [];
    for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part);
    const message: { id?: Json; method: string; params: JsonObject } = JSON.parse(Buffer.concat(parts).toString());
    const { id, method, params } = message;
    if (id === undefined) return response.writeHead(202).end();
    const send = (value: object) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...value }));
    };
    const reply = (answer: Answer) => {
      if (answer === 'cut') return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': gone\n\n');
      if (answer === 'silence') return;
      if (Array.isArray(answer)) return send({ error: { code: answer[0], message: answer[1] } });
      send({ result: answer });
    };
    if (method === 'server/discover') {
      if (script.isLegacy) return reply([-32601, 'Method not found']);
      return reply({ supportedVersions: [version], capabilities: { tools: {} } });
    }
    if (method === 'initialize') {
      const { protocolVersion = '' } = params;
      return reply({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'own', version: '1' } });
    }
    if (method === 'tools/list') return reply({ tools: [{ name: 'long', inputSchema: { type: 'object' } }] });
    seen.push({ method, params });
    response.once('close', () => {
      if (!response.writableFinished) left.push(method);
    });
    if (method === 'tasks/cancel') await script.beforeCancel;
    if (method === 'tools/call') return reply(script.call ?? begun);
    if (!script.isLegacy && request.headers['mcp-name'] !== 't1') return reply([-32020, 'Header mismatch']);
    if (method === 'tasks/get') {
      const states = script.get ?? [done];
      return reply(states[of(method).length - 1] ?? states.at(-1) ?? done);
    }
    reply((method === 'tasks/update' ? script.update : script.cancel) ?? { resultType: 'complete' });
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/mcp`;
  return { url, of, left, count: (method: string) => of(method).length };
}

/** People who answer by what they are asked. */
function people(answer: (message: string, asked: AskedByServer) => Promise<ItemEnd> | ItemEnd) {
  const asked: (string | undefined)[] = [];
  const ask = async (one: AskedByServer): Promise<ItemEnd> => {
    asked.push(one.mark);
    return await answer(one.server.message ?? '', one);
  };
  return { asked, ask };
}

const city = (name: string) => ended({ decision: 'answer', content: { city: name } });
const accepted = (name: string) => ({ action: 'accept', content: { city: name } });
const never = () => new Promise<ItemEnd>(() => {});

describe('a task that the server begins', () => {
  test('is announced as possible, kept, and asked for until it has its result', async () => {
    const { url, of, count } = await serve({ get: [state('working', { statusMessage: 'half' }), done] });
    const { store, kept } = keeping();
    const logs: LogBody[] = [];
    expect(await (await open(url))({ kept, log: (body) => void logs.push(body) })).toBe('done');
    expect([count('tools/call'), count('tasks/get')]).toEqual([1, 2]);
    const meta = of('tools/call')[0]?.params._meta;
    expect(isRecord(meta) && meta['io.modelcontextprotocol/clientCapabilities']).toMatchObject({
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    });
    expect(store.value).toEqual({ task: 't1', server: 'own', agent: 'lead', hasEnded: true });
    const told = logs.filter(({ code }) => code === 'tool_task').map(({ message }) => message);
    expect(told).toEqual(['The call goes on as a task of the server.', 'half']);
  });

  test('may have ended at once, and gives structured output', async () => {
    const structured = { resultType: 'complete', content: [], structuredContent: { n: 1 } };
    const { url } = await serve({
      call: { ...begun, status: 'completed' },
      get: [state('completed', { result: structured })],
    });
    expect(await (await open(url))()).toBe('{"n":1}');
  });

  test.each([
    [[-32602, 'No such thing'], "Server 'own' does not know the task of this call any more. It keeps a task for 60 s."],
    [[-32603, 'Disk full'], "Server 'own' does not say how the task of this call goes on: Disk full."],
    [
      { nothing: true },
      "Server 'own' does not say how the task of this call goes on: its answer has no state of the task.",
    ],
    [state('failed', { error: { code: -32603, message: 'Out of paper' } }), "at server 'own'. Out of paper"],
    [state('failed'), 'It does not say why.'],
    [
      state('cancelled', { statusMessage: 'Closing time' }),
      "Server 'own' has cancelled the task of this call. Closing time",
    ],
    [state('completed', { result: { content: [], isError: true } }), ''],
    [state('completed'), 'in a form that MCP does not have'],
  ] satisfies [Answer, string][])('that ends with %j fails with a sentence', async (answer, sentence) => {
    const { url, count } = await serve({ get: [state('working'), answer] });
    const said = await (await open(url))();
    expect(said).toMatch(/^TOOL_FAILED: /);
    expect(said).toContain(sentence);
    expect(count('tools/call')).toBe(1);
  });

  test('goes on after errors that pass', async () => {
    const { url } = await serve({
      get: [[-32603, 'Busy'], [-32603, 'Busy'], state('working'), [-32603, 'Busy'], done],
    });
    expect(await (await open(url))()).toBe('done');
  });

  test('of two calls are two tasks', async () => {
    const { url, count } = await serve({ get: [state('working'), state('working'), done] });
    const call = await open(url);
    expect(await Promise.all([call(), call()])).toEqual(['done', 'done']);
    expect(count('tools/call')).toBe(2);
  });

  test('without an id cannot be followed', async () => {
    const { url } = await serve({ call: { resultType: 'task', status: 'working' } });
    expect(await (await open(url))()).toContain("Server 'own' answered with a task and did not say its id.");
  });

  test.each([true, false])(
    'in an earlier protocol (%s) or a result of an unknown type is no result',
    async (isLegacy) => {
      const { url, count } = await serve({ isLegacy, call: isLegacy ? begun : { ...begun, resultType: 'later' } });
      expect(await (await open(url))()).toMatch(/^TOOL_FAILED: .*'(task|later)' cannot be read here/);
      expect(count('tasks/get')).toBe(0);
    },
  );
});

describe('the time limit of a task', () => {
  test('begins anew while the server says that it works, and holds when it says nothing', async () => {
    const { url, count } = await serve({ get: [...Array<Answer>(8).fill(state('working')), 'silence'] });
    expect(await (await open(url, { readTimeoutSeconds: 1 }))()).toBe(
      "TOOL_TIMEOUT: Tool 'own__long' gave no result within 1 s.",
    );
    expect(count('tasks/get')).toBe(9);
    await expect.poll(() => count('tasks/cancel')).toBe(1);
  });

  test('holds for a status that MCP does not have', async () => {
    const { url } = await serve({ get: [state('paused')] });
    expect(await (await open(url, { readTimeoutSeconds: 1 }))()).toMatch(/^TOOL_TIMEOUT: /);
  });
});

describe('a task that is stopped', () => {
  test.each<Answer>([{ resultType: 'complete' }, [-32603, 'No']])(
    'is cancelled at the server, whose answer is %j',
    async (cancel) => {
      const { url, count } = await serve({ get: [state('working')], cancel });
      const abort = new AbortController();
      const answer = (await open(url))({ signal: abort.signal });
      await expect.poll(() => count('tasks/get')).toBeGreaterThan(1);
      abort.abort();
      expect(await answer).toBe('TOOL_FAILED: The call was cancelled.');
      await expect.poll(() => count('tasks/cancel')).toBe(1);
    },
  );

  test('is cancelled before the connection of its run closes', async () => {
    let release = () => {};
    const beforeCancel = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { url, left, count } = await serve({ get: [state('working')], beforeCancel });
    const abort = new AbortController();
    const answer = (await open(url))({ signal: abort.signal });
    await expect.poll(() => count('tasks/get')).toBeGreaterThan(0);
    abort.abort();
    await answer;
    const closed = pools[0]?.close();
    await expect.poll(() => count('tasks/cancel')).toBe(1);
    release();
    await closed;
    expect(left).not.toContain('tasks/cancel');
  });

  test('while it is kept is cancelled at the server', async () => {
    const { url, count } = await serve({ get: ['silence'] });
    const abort = new AbortController();
    const kept = { read: async () => undefined, write: async () => abort.abort() };
    expect(await (await open(url))({ signal: abort.signal, kept })).toBe('TOOL_FAILED: The call was cancelled.');
    await expect.poll(() => count('tasks/cancel')).toBe(1);
    expect(count('tasks/get')).toBe(0);
  });

  test('while an answer is kept is not asked for once more', async () => {
    const { url, count } = await serve({ get: [asking('from'), 'silence'] });
    const abort = new AbortController();
    const kept = {
      read: async () => undefined,
      write: async () => {
        if (count('tasks/update') > 0) abort.abort();
      },
    };
    const call = await open(url);
    expect(await call({ signal: abort.signal, kept, ask: people(() => city('Oslo')).ask })).toBe(
      'TOOL_FAILED: The call was cancelled.',
    );
    expect(count('tasks/get')).toBe(1);
  });

  test('because its run goes on elsewhere is left alone, and the other worker gets its result', async () => {
    const { url, count } = await serve({ get: [asking('where'), asking('where'), asking('where'), done] });
    const { store, kept } = keeping();
    const abort = new AbortController();
    const desk = people(never);
    const answer = (await open(url))({ signal: abort.signal, ask: desk.ask, kept });
    await expect.poll(() => desk.asked).toEqual(['task where']);
    abort.abort(new RunLeft());
    expect(await answer).toBe('TOOL_FAILED: The call was cancelled.');
    const second = await open(url);
    expect(await second({ kept: keeping(store.value).kept, ask: people(() => city('Oslo')).ask })).toBe('done');
    expect([count('tools/call'), count('tasks/cancel')]).toEqual([1, 0]);
  });
});

describe('a lost connection', () => {
  test('is opened again for the same task, as often as the server says something in between', async () => {
    const { url, count } = await serve({ get: [state('working'), 'cut', state('working'), 'cut', done] });
    expect(await (await open(url))()).toBe('done');
    expect(count('tools/call')).toBe(1);
  });

  test('is given up when the server says nothing', async () => {
    const { url, count } = await serve({ get: [state('working'), 'cut'] });
    expect(await (await open(url))()).toMatch(/^SERVER_UNAVAILABLE: .* may or may not have taken effect\.$/);
    expect(count('tools/call')).toBe(1);
  });
});

describe('questions of a task', () => {
  test('go to people once each, and each answer to the server as soon as it is there', async () => {
    let answerSecond = () => {};
    const second = new Promise<ItemEnd>((resolve) => {
      answerSecond = () => resolve(city('Bergen'));
    });
    const both = asking('from', 'to');
    const { url, of, count } = await serve({ get: [both, both, asking('to'), asking('to'), state('working'), done] });
    const desk = people((message) => (message === 'from' ? city('Oslo') : second));
    const answer = (await open(url))({ ask: desk.ask, ...keeping() });
    await expect.poll(() => count('tasks/update')).toBe(1);
    answerSecond();
    expect(await answer).toBe('done');
    expect(desk.asked).toEqual(['task from', 'task to']);
    expect(of('tasks/update').map(({ params }) => params.inputResponses)).toEqual([
      { from: accepted('Oslo') },
      { to: accepted('Bergen') },
    ]);
  });

  test('are not answered again by a worker that goes on', async () => {
    const { url, count } = await serve({ get: [asking('from'), done] });
    const { store, kept } = keeping({ task: 't1', answered: ['from'], sampled: {} });
    const desk = people(never);
    expect(await (await open(url))({ ask: desk.ask, kept })).toBe('done');
    expect([desk.asked, count('tools/call'), count('tasks/update')]).toEqual([[], 0, 0]);
    expect(store.value).toMatchObject({ task: 't1', hasEnded: true });
  });

  test('are withdrawn when the server does not wait for them any more', async () => {
    const { url, count } = await serve({ get: [asking('from'), asking('from'), done] });
    const withdrawn: unknown[] = [];
    const desk = people((_, { signal }) => {
      signal?.addEventListener('abort', () => withdrawn.push(true));
      return never();
    });
    expect(await (await open(url))({ ask: desk.ask })).toBe('done');
    expect([withdrawn.length, count('tasks/update')]).toEqual([1, 0]);
  });

  test.each([
    ['connection is lost for good', 'cut', 'SERVER_UNAVAILABLE: '],
    ['result cannot be read', state('completed'), 'TOOL_FAILED: '],
  ] satisfies [string, Answer, string][])('are withdrawn when its %s', async (_, answer, said) => {
    const { url } = await serve({ get: [asking('from'), answer] });
    const withdrawn: unknown[] = [];
    const desk = people((__, { signal }) => {
      signal?.addEventListener('abort', () => withdrawn.push(true));
      return never();
    });
    expect(await (await open(url))({ ask: desk.ask })).toContain(said);
    expect(withdrawn).toEqual([true]);
  });

  test('may have any name', async () => {
    const { url, of } = await serve({ get: [asking('__proto__', 'toString'), done] });
    expect(await (await open(url))({ ask: people(() => city('Oslo')).ask })).toBe('done');
    const sent = of('tasks/update').map(({ params }) => JSON.stringify(params.inputResponses));
    const oslo = JSON.stringify(accepted('Oslo'));
    expect(sent).toEqual([`{"__proto__":${oslo},"toString":${oslo}}`]);
  });

  test.each(['task', 'call'])('of a %s to a model are asked whatever their name is', async (what) => {
    const params = { maxTokens: 9, messages: [{ role: 'user', content: { type: 'text', text: 'Why?' } }] };
    const inputRequests = { constructor: { method: 'sampling/createMessage', params } };
    const needs = { resultType: 'input_required', inputRequests };
    const { url, of } = await serve(
      what === 'call' ? { call: needs } : { get: [state('input_required', { inputRequests }), done] },
    );
    const content = [{ type: 'text' as const, text: 'Because.' }];
    const message = { role: 'assistant' as const, content, toolCalls: [], stopReason: 'end_turn' as const };
    const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, modelCalls: 1 };
    await (await open(url, { samples: true }))({ sample: async () => ({ ok: true, message, usage, requests: 1 }) });
    const answers = what === 'call' ? of('tools/call')[1] : of('tasks/update')[0];
    expect(answers?.params.inputResponses).toMatchObject({ constructor: { content: { text: 'Because.' } } });
  });

  test('are declined where nobody can be asked', async () => {
    const { url, of } = await serve({ get: [asking('from'), done] });
    expect(await (await open(url, { asks: false }))()).toBe('done');
    expect(of('tasks/update').map(({ params }) => params.inputResponses)).toEqual([{ from: { action: 'decline' } }]);
  });

  test('whose answers the server refuses, or that are none, end the call and the task', async () => {
    const refuses = await serve({ get: [asking('from')], update: [-32603, 'Too late'] });
    const desk = people(() => city('Oslo'));
    expect(await (await open(refuses.url))({ ask: desk.ask })).toBe(
      "TOOL_FAILED: Server 'own' does not take the answers that its task asked for: Too late. The task is cancelled. The call may or may not have taken effect.",
    );
    await expect.poll(() => refuses.count('tasks/cancel')).toBe(1);
    const odd = state('input_required', { inputRequests: { x: { method: 'files/delete' } } });
    const other = await serve({ get: [odd] });
    expect(await (await open(other.url))()).toContain("Server 'own' asks for 'files/delete', which is refused.");
  });

  test('whose answers the server refuses for the task, but still asks for, end the call', async () => {
    const { url, count } = await serve({ get: [asking('from')], update: [-32602, 'Task t1 takes no answers'] });
    expect(await (await open(url))({ ask: people(() => city('Oslo')).ask })).toBe(
      "TOOL_FAILED: Server 'own' does not take the answers that its task asked for: Task t1 takes no answers. The task is cancelled. The call may or may not have taken effect.",
    );
    expect([count('tasks/update'), count('tasks/get')]).toEqual([1, 2]);
  });

  test('whose time is up before they are answered do not end the call, and other answers are sent again', async () => {
    const late: Answer = [-32602, 'Task t1 does not wait for this'];
    const one = await serve({ get: [asking('from'), [-32603, 'Busy'], state('working'), done], update: late });
    const desk = people(() => city('Oslo'));
    expect(await (await open(one.url))({ ask: desk.ask })).toBe('done');
    expect(one.count('tasks/update')).toBe(1);
    const two = await serve({ get: [asking('from', 'to'), asking('to'), done], update: late });
    expect(await (await open(two.url))({ ask: desk.ask })).toBe('done');
    const sent = two.of('tasks/update').map(({ params }) => Object.keys(params.inputResponses ?? {}));
    expect(sent).toEqual([['from', 'to'], ['to']]);
  });

  test('that come and go are counted too', async () => {
    const get = Array.from({ length: 300 }, (_, n) => asking(n % 2 === 0 ? 'from' : 'to'));
    const { url } = await serve({ get, update: [-32602, 'Task t1 takes no answers'] });
    expect(await (await open(url))({ ask: people(() => city('Oslo')).ask })).toContain(
      "Server 'own' asked more than 100 times in one task.",
    );
  });

  test('do not come without end', async () => {
    const keys = Array.from({ length: 101 }, (_, n) => `q${n}`);
    const { url } = await serve({ get: [asking(...keys)] });
    expect(await (await open(url))({ ask: people(never).ask })).toContain(
      "Server 'own' asked more than 100 times in one task.",
    );
  });
});
