import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { brandAs, type CorrelationId } from '@/lib/base/ids';
import { systemClock } from '@/lib/jobs/system-clock';
import { execute } from '@/lib/runtime/run/execute';
import { createMcpPool } from '@/lib/tools/mcp/pool';
import { collectEvents } from './collect-events';
import { startFakeOpenAI } from './fake-openai';
import { fanOut } from './fake-openai-fan-out';
import { graphOf } from './graph-of';
import { configOf, modulePath } from './mcp-servers';
import { modelsWith } from './models-with';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-fan-out-'));
});

afterEach(() => rm(root, { recursive: true, force: true }));

const children = 50;

test('50 children with 3 tool calls each over real HTTP and stdio: every call once, usage as served', async () => {
  const sdk = (name: string) => JSON.stringify(`file://${modulePath(`@modelcontextprotocol/sdk/dist/esm/${name}`)}`);
  await writeFile(
    path.join(root, 'server.mjs'),
    `import { McpServer } from ${sdk('server/mcp.js')};
import { StdioServerTransport } from ${sdk('server/stdio.js')};
import { appendFileSync } from 'node:fs';
const server = new McpServer({ name: 'count', version: '1' });
server.registerTool('tick', {}, ({ _meta }) => {
  appendFileSync('calls', _meta['callboard/idempotency-key'] + '\\n');
  return { content: [{ type: 'text', text: 'ticked' }] };
});
await server.connect(new StdioServerTransport());`,
  );
  const fake = await startFakeOpenAI({ respond: fanOut({ children, toolCalls: 3, delayMs: 5 }) });
  const pool = createMcpPool({ clock: systemClock, log: () => undefined, env: process.env });
  try {
    const parsed = graphOf('lead > worker', { cards: { worker: { servers: ['count'] } } });
    const config = { ...configOf({ count: { command: 'node', args: ['server.mjs'] } }), defaultModel: 'openai.fake' };
    const events = collectEvents(systemClock);
    let correlation = 0;
    const outcome = await execute({
      folder: new Map(),
      parsed: { ...parsed, config },
      request: {
        runId: brandAs('run-1'),
        correlationId: brandAs('root'),
        agent: 'lead',
        message: 'Fan out.',
        model: undefined,
      },
      ports: {
        model: modelsWith({ OPENAI_API_KEY: 'sk-fake-0123456789', OPENAI_BASE_URL: fake.url }, systemClock),
        tools: { mcp: pool.port({ config, root }) },
        events,
        clock: systemClock,
        newCorrelationId: () => {
          correlation += 1;
          return brandAs<CorrelationId>(`c${correlation}`);
        },
      },
      log: [],
      signal: new AbortController().signal,
    });
    expect(outcome).toMatchObject({ status: 'completed', answer: `All ${children} children answered.` });
    expect(outcome.usage).toMatchObject({
      inputTokens: fake.totals.promptTokens,
      outputTokens: fake.totals.completionTokens,
      modelCalls: fake.totals.requests,
    });
    expect(fake.requests).toHaveLength(2 + children * 4);
    const calls = (await readFile(path.join(root, 'calls'), 'utf8')).trim().split('\n');
    expect([calls.length, new Set(calls).size]).toEqual([children * 3, children * 3]);
    expect(events.of('tool.ended').filter((event) => event.result.isError)).toEqual([]);
    expect(events.of('log')).toEqual([]);
  } finally {
    await pool.close();
    await fake.close();
  }
});

test('runs as a process of its own that prints where it listens', async () => {
  const main = path.join(import.meta.dirname, 'fake-openai-main.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', main], {
    env: { ...process.env, FAN_OUT: '2', DELAY_MS: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line]: string[] = (await once(child.stdout.setEncoding('utf8'), 'data')).map(String);
    const { url }: { url: string } = JSON.parse(line ?? '');
    const answer = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({
        model: 'm',
        messages: [{ role: 'user', content: 'go' }],
        tools: [{ type: 'function', function: { name: 'agent__kid', parameters: {} } }],
      }),
    });
    const body: { choices: { message: { tool_calls: { id: string }[] } }[] } = await answer.json();
    expect(body.choices[0]?.message.tool_calls.map((call) => call.id)).toEqual(['call_1_0', 'call_1_1']);
    const stats: { requests: number } = await (await fetch(new URL('/stats', url))).json();
    expect(stats.requests).toBe(1);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
});
