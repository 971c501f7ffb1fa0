import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { createProject, readEvents, readRun, startRun, waitForEnd } from '../api';
import { type AppProcess, startApp } from '../app-process';
import { expect, test } from '../test';

/**
 * The app runs between a server of OpenAI's wire format and an MCP server over stdio. Both are processes that count their
 * calls.
 */

const children = 50;
const toolCalls = 3;

const stats = z.object({ requests: z.number(), promptTokens: z.number(), completionTokens: z.number() });

let model: ChildProcess;
let modelUrl: string;
let app: AppProcess;
let folder: string;

test.beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'callboard-fan-out-'));
  model = spawn(process.execPath, ['--import', 'tsx', 'lib/testing/fake-openai-main.ts'], {
    env: { ...process.env, FAN_OUT: String(children), TOOL_CALLS: String(toolCalls), DELAY_MS: '20' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (model.stdout === null) throw new Error('The fake model has no output');
  const [line]: unknown[] = await once(model.stdout.setEncoding('utf8'), 'data');
  modelUrl = z.object({ url: z.string() }).parse(JSON.parse(String(line))).url;
  app = await startApp({ OPENAI_BASE_URL: modelUrl, OPENAI_API_KEY: 'sk-fan-out-0123456789' });
});

test.afterAll(async () => {
  await app?.stop();
  model?.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

test('50 children with 3 tool calls each: every call is made once, and the usage shown is the server’s', async ({
  page,
}) => {
  const calls = path.join(folder, 'calls');
  const project = await createProject(app.url, 'Fan-out', {
    'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [worker]\n---\nAsk the workers.\n',
    'agent-cards/worker.md': '---\nname: worker\nservers: [count]\n---\nTick.\n',
    'fast-agent.yaml':
      'default_model: openai.fake\nmcp:\n  servers:\n    count: {command: node, args: [servers/count.mjs]}\n',
    'servers/count.mjs': `import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
const server = new McpServer({ name: 'count', version: '1' });
server.registerTool('tick', {}, ({ _meta }) => {
  appendFileSync(${JSON.stringify(calls)}, _meta['callboard/idempotency-key'] + '\\n');
  return { content: [{ type: 'text', text: 'ticked' }] };
});
await server.connect(new StdioServerTransport());
`,
  });
  const run = await startRun(app.url, project, 'Fan out, please');
  expect(await waitForEnd(app.url, run, 90_000)).toBe('completed');

  const keys = readFileSync(calls, 'utf8').trim().split('\n');
  expect([keys.length, new Set(keys).size]).toEqual([children * toolCalls, children * toolCalls]);
  const events = await readEvents(app.url, run);
  const count = (kind: string) => events.filter((one) => one.kind === kind).length;
  expect({
    instances: count('instance.started'),
    models: count('model.ended'),
    tools: count('tool.ended'),
    logged: count('log'),
  }).toEqual({
    instances: 1 + children,
    models: 2 + children * (toolCalls + 1),
    tools: children * (toolCalls + 1),
    logged: 0,
  });

  const served = stats.parse(await (await fetch(new URL('/stats', modelUrl))).json());
  expect(served.requests).toBe(2 + children * (toolCalls + 1));
  expect((await readRun(app.url, run)).usage).toMatchObject({
    inputTokens: served.promptTokens,
    outputTokens: served.completionTokens,
    modelCalls: served.requests,
  });
  await page.goto(app.signInUrl);
  await page.goto(`${app.url}/r/${run}`);
  const whole = (tokens: number) => tokens.toLocaleString('en-US');
  await expect(
    page.getByTitle(
      `${whole(served.promptTokens)} in, ${whole(served.completionTokens)} out, ${served.requests} model calls`,
    ),
  ).toBeVisible();
});
