import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { POST as call } from '@/app/api/v1/projects/[project]/mcp/route';
import { brandAs, type PendingId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { answerPending } from '@/lib/server/pending';
import { createProject, saveFiles } from '@/lib/server/projects';
import { release } from '@/lib/server/revisions';
import { getRun } from '@/lib/server/runs';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { endProcess, startWorkerProcess } from '@/lib/testing/worker-process';

/** The client of the official SDK talks with a project over HTTP, and a worker runs what it asks for. */

const { url, store } = await testDatabase();
/** Processes start slowly on a machine that is busy. */
const patienceMs = 60_000;
vi.setConfig({ testTimeout: 3 * patienceMs, hookTimeout: 3 * patienceMs });

let server: http.Server;
let base: string;
let worker: Awaited<ReturnType<typeof startWorkerProcess>>;
let dataFolder: string;

beforeAll(async () => {
  dataFolder = await mkdtemp(path.join(tmpdir(), 'callboard-mcp-'));
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_OPEN', '1');
  server = http.createServer(serve).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  vi.stubEnv('PORT', String(port));
  base = `http://127.0.0.1:${port}`;
  worker = await startWorkerProcess({ databaseUrl: url, dataFolder });
});

afterAll(async () => {
  await endProcess(worker, 'SIGKILL');
  server.closeAllConnections();
  server.close();
  vi.unstubAllEnvs();
  await rm(dataFolder, { recursive: true, force: true });
});

/** The route behind a real HTTP server. */
async function serve(from: http.IncomingMessage, to: http.ServerResponse): Promise<void> {
  const [, project = ''] = /^\/api\/v1\/projects\/([^/]+)\/mcp/.exec(from.url ?? '') ?? [];
  const gone = new AbortController();
  to.once('close', () => gone.abort());
  const headers = Object.entries(from.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const body = from.method === 'POST' ? Readable.toWeb(from) : undefined;
  const init = { method: from.method, headers, signal: gone.signal, ...(body && { body, duplex: 'half' }) };
  const request = new Request(`${base}${from.url}`, init as RequestInit);
  // Next answers other methods than those of a route with 405.
  if (from.method !== 'POST') return void to.writeHead(405).end();
  const response = await call(request, { params: Promise.resolve({ project }) });
  to.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body)
    Readable.fromWeb(response.body as never)
      .on('error', () => to.destroy())
      .pipe(to);
  else to.end();
}

const poet = (text: string) => ({
  'poet.md': `---\nname: the poet\ndescription: Writes poems.\nmodel: passthrough\n---\n${text}\n`,
});

async function serveProject(files: Record<string, string>) {
  return (await createProject(localActor, { name: 'Poems', folder: folderOf(files), trust: { origin: 'api' } })).id;
}

async function connect(project: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${base}/api/v1/projects/${project}/mcp`));
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return client;
}

test('the entry agent is a tool, whose call is a run with progress and an answer', async () => {
  const client = await connect(await serveProject(poet('Write.')));
  expect(client.getServerVersion()).toMatchObject({ name: 'Poems', version: '1' });
  const { tools } = await client.listTools();
  expect(tools.map(({ name, description }) => [name, description])).toEqual([
    ['the_poet', 'Writes poems.'],
    ['get_run_result', 'Waits for a run that was started before, and returns its answer.'],
  ]);
  const news: (string | undefined)[] = [];
  const call = { name: 'the_poet', arguments: { message: 'a tree', correlation_id: 'monday' } };
  const result = await client.callTool(call, undefined, { onprogress: ({ message }) => news.push(message) });
  expect(result).toMatchObject({
    content: [{ type: 'text', text: 'a tree' }],
    structuredContent: { status: 'completed', answer: 'a tree', correlation_id: 'monday' },
  });
  expect(news).toEqual([expect.stringMatching(/^Run .* is queued\.$/), 'the_poet begins.', 'the_poet has ended.']);
  const { run_id } = result.structuredContent as { run_id: string };
  const again = await client.callTool({ name: 'get_run_result', arguments: { run_id } });
  expect(again.structuredContent).toEqual(result.structuredContent);
  await client.close();
});

test('the live revision answers, also while the draft differs', async () => {
  const project = await serveProject(poet('One.'));
  await release(localActor, project, { label: 'live', target: { draft: 'main' }, note: 'Go', override: undefined });
  const files = { 'other.md': '---\nname: other\ndefault: true\nmodel: passthrough\n---\nO.\n' };
  const changes = Object.entries(files).map(([at, text]) => ({ path: at, text }));
  await saveFiles(localActor, project, { baseVersion: 1, changes });
  const client = await connect(project);
  expect((await client.listTools()).tools[0]?.name).toBe('the_poet');
  const { structuredContent } = await client.callTool({ name: 'the_poet', arguments: { message: 'Hi' } });
  const run = await getRun(localActor, brandAs<RunId>((structuredContent as { run_id: string }).run_id));
  expect(run).toMatchObject({ revision: 1, status: 'completed' });
  await client.close();
});

const asking = {
  'lead.md': '---\nname: lead\nfunction_tools: [tools.ts:send]\n---\nLead.\n',
  'tools.ts': 'export function send() {\n  return "sent";\n}\n',
  'callboard.yaml': `version: 1
approvals: { rules: [{ tools: [send], effect: ask }] }
scripts:
  lead:
    - turns:
        - calls: [{ tool: send, arguments: {} }]
        - text: "{{result}}"
`,
};

test('a run that waits for a person says so, and its answer is there later', async () => {
  const client = await connect(await serveProject(asking));
  const first = await client.callTool({ name: 'lead', arguments: { message: 'Go' } });
  expect(first).toMatchObject({
    content: [{ text: expect.stringContaining('waits for a person') }],
    structuredContent: { status: 'suspended' },
  });
  const { run_id } = first.structuredContent as { run_id: string };
  const item = await store.prisma.pendingItem.findFirstOrThrow({ where: { runId: run_id } });
  await answerPending(localActor, brandAs<PendingId>(item.id), { decision: 'approve' });
  await vi.waitFor(
    async () => expect((await getRun(localActor, brandAs<RunId>(run_id))).status).not.toBe('suspended'),
    { timeout: patienceMs },
  );
  const later = await client.callTool({ name: 'get_run_result', arguments: { run_id } });
  expect(later.structuredContent).toMatchObject({ status: 'completed', answer: 'sent' });
  await client.close();
});

test('a call that is cancelled stops its run, and a call of another session with the same id does not', async () => {
  const slow = {
    'slow.md': '---\nname: slow\nfunction_tools: [tools.ts:wait]\n---\nWait.\n',
    'tools.ts':
      'export async function wait() {\n  await new Promise((done) => setTimeout(done, 120_000));\n  return 1;\n}\n',
    'callboard.yaml': `version: 1
scripts:
  slow:
    - turns:
        - calls: [{ tool: wait, arguments: {} }]
        - text: done
`,
  };
  const project = await serveProject(slow);
  const [client, other] = [await connect(project), await connect(project)];
  const begun = async (from: Client, stop: AbortController) => {
    let run = '';
    const called = from.callTool({ name: 'slow', arguments: { message: 'Go' } }, undefined, {
      signal: stop.signal,
      onprogress: ({ message }) => {
        run ||= /^Run (\S+) is queued/.exec(message ?? '')?.[1] ?? '';
      },
    });
    const ended = called.then(
      () => 'ended',
      () => 'cancelled',
    );
    await vi.waitFor(() => expect(run).not.toBe(''), { timeout: patienceMs });
    return { run: brandAs<RunId>(run), ended };
  };
  const [stop, keep] = [new AbortController(), new AbortController()];
  const mine = await begun(client, stop);
  const theirs = await begun(other, keep);
  stop.abort();
  expect(await mine.ended).toBe('cancelled');
  await vi.waitFor(async () => expect((await getRun(localActor, mine.run)).status).toBe('cancelled'), {
    timeout: patienceMs,
  });
  expect((await getRun(localActor, theirs.run)).status).not.toBe('cancelled');
  keep.abort();
  await theirs.ended;
  await client.close();
  await other.close();
});

test('wrong calls are refused with a reason', async () => {
  const project = await serveProject(poet('Write.'));
  const client = await connect(project);
  await expect(client.callTool({ name: 'nobody', arguments: {} })).rejects.toThrow("There is no tool 'nobody'.");
  await expect(client.callTool({ name: 'the_poet', arguments: { text: 'x' } })).rejects.toThrow('message: Use a text.');
  expect(await client.callTool({ name: 'get_run_result', arguments: { run_id: 'none' } })).toMatchObject({
    isError: true,
  });
  const elsewhere = await serveProject(poet('Other.'));
  const { structuredContent } = await client.callTool({ name: 'the_poet', arguments: { message: 'x' } });
  const stranger = await connect(elsewhere);
  const { run_id } = structuredContent as { run_id: string };
  expect(await stranger.callTool({ name: 'get_run_result', arguments: { run_id } })).toMatchObject({
    content: [{ text: 'The project has no such run.' }],
    isError: true,
  });
  await expect(connect('nowhere')).rejects.toThrow();
  const broken = {
    method: 'POST',
    body: '{',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  };
  expect((await fetch(`${base}/api/v1/projects/${project}/mcp`, broken)).status).toBe(400);
  await client.close();
  await stranger.close();
});
