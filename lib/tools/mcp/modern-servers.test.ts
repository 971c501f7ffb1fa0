import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '@/lib/base/json';
import type { ItemEnd, PersonAnswer } from '@/lib/base/pending';
import type { ServerConfig } from '@/lib/cards/config';
import { systemClock } from '@/lib/jobs/system-clock';
import type { AskedByServer, LogBody, SampleRequest, ToolCallContext } from '@/lib/runtime/ports';
import { textOf } from '@/lib/runtime/record/messages';
import { agentCard } from '@/lib/testing/graph-of';
import { callContext, configOf, toolNamed, writeServer } from '@/lib/testing/mcp-servers';
import { writeModernServer } from '@/lib/testing/modern-server';
import { ended } from '@/lib/testing/people-desk';
import { createMcpPool, type McpPool } from './pool';

let root: string;
let pools: McpPool[];
let logs: LogBody[];

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-mcp-'));
  logs = [];
  pools = [];
});

afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  await rm(root, { recursive: true, force: true });
});

const asks = () => ({ sampling: 'ask' as const, elicitation: true });
const lines = async (file: string) => (await readFile(path.join(root, file), 'utf8')).trim().split('\n');
const seen = async () => (await lines('seen')).map((line): { method: string; state?: string } => JSON.parse(line));

/** The tools of a server, for one run on a worker of its own. */
async function open(server: Partial<ServerConfig>, consentOf?: typeof asks, connectTimeoutMs?: number) {
  const env = { PATH: process.env.PATH };
  const pool = createMcpPool({ clock: systemClock, log: (body) => logs.push(body), env, connectTimeoutMs });
  pools.push(pool);
  const port = pool.port({ config: configOf({ own: server }), root, ...(consentOf && { consentOf }) });
  const card = agentCard('lead', { servers: ['own'] });
  const list = () => port.list(card, new AbortController().signal);
  const call = async (name: string, args: Record<string, Json> = {}, context: Partial<ToolCallContext> = {}) => {
    const { tools, issues } = await list();
    expect(issues).toEqual([]);
    const { content } = await port.call(toolNamed(tools, `own__${name}`), args, callContext(context));
    return textOf(content);
  };
  return { list, call, version: () => port.version(card) };
}

/** People who answer at once. */
function people(answer: (asked: AskedByServer) => Partial<PersonAnswer> | ItemEnd) {
  const asked: AskedByServer[] = [];
  const ask = (one: AskedByServer): Promise<ItemEnd> => {
    asked.push(one);
    const given = answer(one);
    return Promise.resolve('outcome' in given ? given : ended(given));
  };
  return { asked, ask };
}

const oslo = ({ server }: AskedByServer): Partial<PersonAnswer> =>
  server.url === undefined ? { decision: 'answer', content: { city: 'Oslo' } } : { decision: 'approve' };

const booked = (state: string | null) => ({
  given: {
    city: { action: 'accept', content: { city: 'Oslo' } },
    link: { action: 'accept' },
    where: { roots: [] },
  },
  state,
});

describe('a server of protocol 2026-07-28', () => {
  test('asks everything at once, waits for nothing, and is called again with the answers and its state', async () => {
    const { call } = await open(await writeModernServer(root), asks);
    const { asked, ask } = people(oslo);
    expect(JSON.parse(await call('book', {}, { ask }))).toEqual(booked('new-state'));
    expect(asked.map(({ server, mark }) => [server, mark])).toEqual([
      [{ serverName: 'own', message: 'Which city?' }, '1 city'],
      [{ serverName: 'own', message: 'Pay', url: 'https://pay.example/1' }, '1 link'],
    ]);
    expect((await seen()).map(({ method, state }) => [method, state])).toEqual([
      ['server/discover', undefined],
      ['tools/list', undefined],
      ['tools/call', undefined],
      ['tools/call', 'new-state'],
    ]);
    expect(await lines('starts')).toHaveLength(1);
  });

  test('that finds its state expired gets the answers without it', async () => {
    const { call } = await open(await writeModernServer(root), asks);
    expect(JSON.parse(await call('book', { old: true }, { ask: people(oslo).ask }))).toEqual(booked(null));
  });

  test('may ask again, and an equal question of another round is another one', async () => {
    const { call } = await open(await writeModernServer(root), asks);
    const tries = ['wrong', 'wrong', 'right'];
    const { asked, ask } = people(() => ({ decision: 'answer', content: { city: tries.shift() ?? '' } }));
    expect(await call('guess', {}, { ask })).toBe('"g3"');
    expect(asked.map(({ mark }) => mark)).toEqual(['1 word', '2 word', '3 word']);
  });

  test('that asks for ever gets no endless answers', async () => {
    const { call } = await open(await writeModernServer(root), asks);
    const { ask } = people(() => ({ decision: 'deny' }));
    expect(await call('guess', {}, { ask })).toBe("Server 'own' asked 20 times and gave no result.");
  });

  test('a call whose worker is gone is continued by another worker with the kept state, and repeats nothing', async () => {
    const server = await writeModernServer(root);
    let value: Json | undefined;
    const kept = {
      read: () => Promise.resolve(value),
      write: (next: Json | undefined) => {
        value = next;
        return Promise.resolve();
      },
    };
    const first = await open(server, asks);
    const waiting = new Promise<void>((resolve) => {
      const ask = () => {
        resolve();
        return new Promise<ItemEnd>(() => {});
      };
      void first.call('book', {}, { ask, kept });
    });
    await waiting;
    expect(value).toMatchObject({ number: 1, state: 'new-state' });
    await Promise.all(pools.map((pool) => pool.close()));
    const second = await open(server, asks);
    expect(JSON.parse(await second.call('book', {}, { ask: people(oslo).ask, kept }))).toEqual(booked('new-state'));
    expect(value).toBeUndefined();
    const calls = (await seen()).filter(({ method }) => method === 'tools/call');
    expect(calls.map(({ state }) => state)).toEqual([undefined, 'new-state']);
  });

  test('has a model asked once, also if a person reads the answer later on another worker', async () => {
    const server = await writeModernServer(root);
    let value: Json | undefined;
    const kept = {
      read: () => Promise.resolve(value),
      write: (next: Json | undefined) => {
        value = next;
        return Promise.resolve();
      },
    };
    const sampled: SampleRequest[] = [];
    const sample: NonNullable<ToolCallContext['sample']> = (request) => {
      sampled.push(request);
      const content = [{ type: 'text' as const, text: 'Because.' }];
      const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, modelCalls: 1 };
      const message = { role: 'assistant' as const, content, toolCalls: [], stopReason: 'end_turn' as const };
      return Promise.resolve({ ok: true, message, usage, requests: 1 });
    };
    const first = await open(server, asks);
    await new Promise<void>((resolve) => {
      const ask = ({ server: { shows } }: AskedByServer) => {
        if (shows === 'prompt') return Promise.resolve(ended());
        resolve();
        return new Promise<ItemEnd>(() => {});
      };
      void first.call('sample', {}, { ask, kept, sample });
    });
    await Promise.all(pools.map((pool) => pool.close()));
    const second = await open(server, asks);
    const { asked, ask } = people(() => ({}));
    expect(await second.call('sample', {}, { ask, kept, sample })).toBe('"Because."');
    expect(asked.map(({ server: { shows } }) => shows)).toEqual(['result']);
    expect(sampled).toHaveLength(1);
    const refused = await second.call('sample', {}, { ask: people(() => ({ decision: 'deny' })).ask, sample });
    expect(refused).toContain('User rejected sampling request');
  });

  test('works without any setting: it is found after it has refused the earlier protocol, and questions are declined', async () => {
    const own = await open(await writeModernServer(root));
    expect(JSON.parse(await own.call('book')).given).toMatchObject({ city: { action: 'decline' } });
    expect(await lines('starts')).toHaveLength(1);
    const before = own.version();
    await own.call('grow');
    await expect.poll(() => own.version()).toBeGreaterThan(before);
    expect((await own.list()).tools.map(({ remoteName }) => remoteName)).toContain('grown');
  });

  test.each([undefined, asks])('over HTTP, with headers that repeat what requests say', async (consentOf) => {
    const { command, args } = await writeModernServer(root, 'http');
    const child = spawn(command, args, { cwd: root, stdio: 'ignore' });
    try {
      // The file is there before its content is.
      const port = () => readFile(path.join(root, 'port'), 'utf8').catch(() => '');
      await expect.poll(port, { timeout: 10_000 }).toMatch(/^\d+$/);
      const url = `http://127.0.0.1:${await port()}/mcp`;
      const { call } = await open({ url }, consentOf);
      const result = JSON.parse(await call('book', {}, { ask: people(oslo).ask }));
      if (consentOf) expect(result).toEqual(booked('new-state'));
      else expect(result.given.city).toEqual({ action: 'decline' });
    } finally {
      child.kill();
    }
  });
});

describe('a server of an earlier protocol that may ask people', () => {
  test('is asked for the newer one on the same connection, and starts once', async () => {
    const { call } = await open(await writeServer(root, `server.registerTool('ok', {}, () => text('ok'));`), asks);
    expect(await call('ok')).toBe('ok');
    expect(await lines('starts')).toHaveLength(1);
  });

  /** Answers `initialize` and `tools/list`. `unknown` is what it does with anything else before. */
  const strict = (unknown: string) => `import { createInterface } from 'node:readline';
import { appendFileSync } from 'node:fs';
appendFileSync('starts', process.pid + '\\n');
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  const send = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  if (method === 'initialize') send({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
  else if (method === 'tools/list') send({ tools: [{ name: 'ok', inputSchema: { type: 'object' } }] });
  else if (method === 'server/discover') ${unknown}
}`;

  test.each([
    ['exits at a request that it does not know', 'process.exit(1);', 2],
    ['does not answer one', ';', 1],
  ])('%s, and is used all the same', async (_, unknown, starts) => {
    await writeFile(path.join(root, 'strict.mjs'), strict(unknown));
    const { list } = await open({ command: 'node', args: ['strict.mjs'] }, asks, 1_000);
    await expect
      .poll(async () => (await list()).tools.map(({ name }) => name), { timeout: 10_000 })
      .toEqual(['own__ok']);
    expect(await lines('starts')).toHaveLength(starts);
  });

  test('is not asked if the settings say so, and one that must speak the newer one says that it does not', async () => {
    await writeFile(path.join(root, 'strict.mjs'), strict('process.exit(1);'));
    const server = { command: 'node', args: ['strict.mjs'] };
    const { list } = await open({ ...server, protocolMode: 'legacy' }, asks);
    expect((await list()).tools).toHaveLength(1);
    expect(await lines('starts')).toHaveLength(1);
    const own = await writeServer(root, `server.registerTool('ok', {}, () => text('ok'));`);
    const { issues } = await (await open({ ...own, protocolMode: 'modern' })).list();
    expect(issues[0]?.message).toMatch(/does not speak protocol 2026-07-28: /);
  });
});
