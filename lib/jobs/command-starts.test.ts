import { createHmac, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { openEndpoint } from '@/lib/server/a2a/endpoint';
import { approveCommands } from '@/lib/server/commands';
import { startFixtures } from '@/lib/server/fixtures';
import { receiveHook } from '@/lib/server/hooks';
import { projectServer } from '@/lib/server/mcp/project-server';
import { release } from '@/lib/server/revisions';
import { startRun } from '@/lib/server/runs';
import { addTrigger, runTriggerNow } from '@/lib/server/triggers';
import { readTrust } from '@/lib/server/trust';
import { writeHookKeys } from '@/lib/store/hook-secret';
import { insertProject } from '@/lib/store/projects';
import { openingKey } from '@/lib/store/sealing';
import { testDatabase } from '@/lib/testing/postgres';
import { storedTrigger } from '@/lib/testing/stored-trigger';
import { startWorkerHere, type WorkerHere } from '@/lib/testing/worker-here';

/** Every way that starts a run, where accounts are on and a worker waits for runs. */

const { url, store } = await testDatabase();
const data = mkdtempSync(path.join(tmpdir(), 'callboard-starts-'));
const root: Actor = {
  by: 'root@example.org',
  via: 'web',
  reach: { kind: 'person', userId: 'root', name: 'Root', isAdministrator: true, members: new Map() },
};
let worker: WorkerHere;

beforeAll(async () => {
  const accounts = { CALLBOARD_ACCOUNTS: '1', CALLBOARD_OPEN: '' };
  const hooks = { CALLBOARD_HOOKS_KEY: writeHookKeys([openingKey(Buffer.alloc(32, 9))]) };
  for (const [name, value] of Object.entries({ ...accounts, ...hooks, DATABASE_URL: url })) vi.stubEnv(name, value);
  worker = await startWorkerHere({ databaseUrl: url, dataFolder: data, env: accounts });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await worker.stop();
  rmSync(data, { recursive: true, force: true });
});

/** Makes a published project with a test. Its server leaves a mark where it was started. */
async function markedProject(mark: string): Promise<ProjectId> {
  const files = {
    'lead.md': '---\nname: lead\nmodel: passthrough\nservers: [mark]\n---\nLead.\n',
    'fast-agent.yaml': `mcp:\n  servers:\n    mark: { command: touch, args: ${JSON.stringify([mark])} }\n`,
    'tests/go.fixture.yaml': 'version: 1\nmessage: Go\n',
    'tests/go.recording.jsonl': '{"recording":1,"took_ms":1}\n',
  };
  const own = await insertProject(store, 'Own', folderOf(files), { origin: 'blank' });
  const override = 'Its test has not run.';
  await release(root, own, { label: 'live', target: { draft: 'main' }, note: '', override });
  return own;
}

type Start = (own: ProjectId) => Promise<unknown>;

const callMcp: Start = async (projectId) => {
  const { signal } = new AbortController();
  const server = await projectServer({ actor: root, projectId, session: undefined, base: 'http://x', signal });
  const client = new Client({ name: 'test', version: '1' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  try {
    return await client.callTool({ name: 'lead', arguments: { message: 'Go' } });
  } finally {
    await client.close();
  }
};

const sendTask: Start = async (own) => {
  const { signal } = new AbortController();
  const endpoint = await openEndpoint(root, own, new Request('http://x/'), signal);
  const message = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'Go' }] };
  return await endpoint.answer({ jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } });
};

const trigger = { target: { label: 'live' }, message: 'Go', stopAfter: 5 } as const;

const deliver: Start = async (own) => {
  const { id, secret = '' } = await addTrigger(root, own, { ...trigger, kind: 'webhook', name: randomUUID() });
  const time = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`m.${time}.{}`).digest('base64');
  const headers = new Headers({
    'webhook-id': 'm',
    'webhook-timestamp': time,
    'webhook-signature': `v1,${signature}`,
  });
  return await receiveHook({ trigger: id, headers, body: async () => new TextEncoder().encode('{}') });
};

/** The worker fires it. */
const comeDue: Start = async (own) => {
  const triggerId = await storedTrigger(store, own, { schedule: { cron: '0 0 1 1 *', zone: 'UTC' } });
  const find = async () => await store.prisma.triggerFiring.findFirst({ where: { triggerId } });
  await expect.poll(find).not.toBeNull();
  return await find();
};

const fireNow: Start = async (own) => {
  const schedule = { cron: '0 0 1 1 *', zone: 'UTC' };
  const { id } = await addTrigger(root, own, { ...trigger, kind: 'schedule', name: randomUUID(), schedule });
  return await runTriggerNow(root, own, id);
};

const ways: readonly (readonly [string, Start])[] = [
  ['a run', (own) => startRun(root, own, { message: 'Go' })],
  ['a turn of a chat', (own) => startRun(root, own, { message: 'Go', conversationId: 'new' })],
  ['a call of the MCP endpoint', callMcp],
  ['a task of the A2A endpoint', sendTask],
  ['a live test', (own) => startFixtures(root, own, { mode: 'live' })],
  ['a webhook', deliver],
  ['a schedule', comeDue],
  ['a trigger that a person fires', fireNow],
];

it.each(ways)('the start by %s starts a stdio server only once it is approved', async (_, start) => {
  const mark = path.join(data, randomUUID());
  const own = await markedProject(mark);
  expect(await saidBy(start, own)).toContain("No administrator has approved the command of server 'mark'");
  // Nothing waits for a worker either, so nothing starts later.
  expect(await store.prisma.run.count({ where: { projectId: own } })).toBe(0);
  expect(existsSync(mark)).toBe(false);

  const { commands } = await readTrust(root, own);
  await approveCommands(
    root,
    own,
    commands.map(({ id }) => id),
  );
  await start(own);
  await expect.poll(() => existsSync(mark)).toBe(true);
});

it('a test that only replays is refused too', async () => {
  const own = await markedProject(path.join(data, randomUUID()));
  const replay: Start = (project) => startFixtures(root, project, { mode: 'replay' });
  expect(await saidBy(replay, own)).toContain('No administrator has approved');
  expect(await store.prisma.run.count({ where: { projectId: own } })).toBe(0);
});

/** Returns what was answered, or what was refused and why. */
async function saidBy(start: Start, own: ProjectId): Promise<string> {
  try {
    return JSON.stringify(await start(own));
  } catch (error) {
    if (error instanceof AppError) return `${error.code}: ${error.message}`;
    throw error;
  }
}
