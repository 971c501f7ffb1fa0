import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import type { Json, JsonObject } from '@/lib/base/json';
import { folderOf } from '@/lib/cards/files';
import { findProject, insertProject } from '@/lib/store/projects';
import { findRun } from '@/lib/store/runs';
import { testDatabase } from '@/lib/testing/postgres';
import { SharedWorker } from '@/lib/testing/worker-process';
import { openRunQueue } from './enqueue';

const { url: databaseUrl, store } = await testDatabase();
const dataFolder = mkdtempSync(path.join(tmpdir(), 'callboard-tasks-'));
const env = { CALLBOARD_ALLOW_PRIVATE_URLS: '127.0.0.1' };
const worker = new SharedWorker({ databaseUrl, dataFolder, env });
const servers: http.Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
afterAll(async () => {
  await worker.end('SIGTERM');
  rmSync(dataFolder, { recursive: true, force: true });
});

const begun: JsonObject = { resultType: 'task', taskId: 't1', status: 'working', ttlMs: 60_000, pollIntervalMs: 500 };
const asks: JsonObject = {
  ...{ resultType: 'complete', taskId: 't1', status: 'input_required', ttlMs: 60_000, pollIntervalMs: 500 },
  inputRequests: {
    city: {
      method: 'elicitation/create',
      params: { mode: 'form', message: 'Which city?', requestedSchema: { type: 'object', properties: {} } },
    },
  },
};
const results: Readonly<Record<string, JsonObject>> = {
  'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
  'tools/list': { tools: [{ name: 'long', inputSchema: { type: 'object' } }] },
  'tools/call': begun,
  'tasks/get': asks,
};

/** A server whose one tool answers with a task that asks a person. Returns its address and the methods of its requests. */
async function serve() {
  const seen: string[] = [];
  const server = http.createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const parts: Buffer[] = [];
    for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part);
    const { id, method }: { id?: Json; method: string } = JSON.parse(Buffer.concat(parts).toString());
    if (id === undefined) return response.writeHead(202).end();
    seen.push(method);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? { resultType: 'complete' } }));
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/mcp`, seen };
}

const folderFor = (url: string) =>
  folderOf({
    'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [kid]\n---\nLead.\n',
    'agent-cards/kid.md': '---\nname: kid\nservers: [own]\n---\nKid.\n',
    'fast-agent.yaml': `mcp: { servers: { own: { url: "${url}" } } }\n`,
    'callboard.yaml': `version: 1
mcp: { elicitation: ask }
approvals: { hold_s: 0 }
scripts:
  lead: [{ turns: [{ calls: [{ tool: agent__kid, arguments: { message: go } }] }, { text: done }] }]
  kid: [{ turns: [{ calls: [{ tool: own__long, arguments: {} }] }, { text: done }] }]
`,
  });

test('a run that is stopped while it is suspended has the task of its call cancelled at the server, once', async () => {
  const { url, seen } = await serve();
  const projectId = await insertProject(store, 'Tasks', folderFor(url), { origin: 'api' });
  const { treeHash } = await findProject(store, projectId);
  const id = brandAs<RunId>(randomUUID());
  const correlationId = brandAs<CorrelationId>(randomUUID());
  const queue = openRunQueue(store);
  await worker.start();
  await queue.enqueueRun({ id, projectId, treeHash, correlationId, agent: undefined, message: 'Go', model: undefined });
  const patient = { timeout: 30_000, interval: 20 };
  await expect.poll(async () => (await findRun(store, id)).status, patient).toBe('suspended');
  expect(seen).not.toContain('tasks/cancel');

  await queue.cancelRun(id);
  await expect.poll(async () => (await findRun(store, id)).status, patient).toBe('cancelled');
  await expect.poll(() => seen, patient).toContain('tasks/cancel');
  await expect.poll(() => store.prisma.keptForCall.count(), patient).toBe(0);
  expect(seen.filter((method) => method === 'tools/call')).toHaveLength(1);
  expect(seen.filter((method) => method === 'tasks/cancel')).toHaveLength(1);
}, 90_000);
