import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { POST as askAgent } from '@/app/api/v1/projects/[project]/a2a/route';
import { POST as callTool } from '@/app/api/v1/projects/[project]/mcp/route';
import { POST as start } from '@/app/api/v1/projects/[project]/runs/route';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { setRule } from '@/lib/server/policy';
import { createProject } from '@/lib/server/projects';
import { release } from '@/lib/server/revisions';
import { runTriggerNow } from '@/lib/server/triggers';
import { findRun } from '@/lib/store/runs';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { storedTrigger } from '@/lib/testing/stored-trigger';
import { endProcess, startWorkerProcess } from '@/lib/testing/worker-process';

/** However a run of what is live is started, a worker holds it to the rules of the team. */

const { url, store } = await testDatabase();
/** Processes start slowly on a machine that is busy. */
const patienceMs = 60_000;
vi.setConfig({ testTimeout: 3 * patienceMs, hookTimeout: 3 * patienceMs });

let worker: Awaited<ReturnType<typeof startWorkerProcess>>;
let dataFolder: string;

beforeAll(async () => {
  dataFolder = await mkdtemp(path.join(tmpdir(), 'callboard-starts-'));
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_OPEN', '1');
  worker = await startWorkerProcess({ databaseUrl: url, dataFolder });
});

afterAll(async () => {
  await endProcess(worker, 'SIGKILL');
  vi.unstubAllEnvs();
  await rm(dataFolder, { recursive: true, force: true });
});

const files = {
  'lead.md': '---\nname: lead\ndefault: true\nmodel: passthrough\nfunction_tools: [tools.ts:send]\n---\nLead.\n',
  'tools.ts': 'export function send() {\n  return "sent";\n}\n',
};
const sentence =
  "The rule 'Sends are guarded' of your team is broken in agent 'lead': a call of 'send' does not go through the hook guard.ts:guard.";

/** Makes a project that went live before its rule was set. */
async function liveProject(): Promise<ProjectId> {
  const { id } = await createProject(localActor, { name: 'Own', folder: folderOf(files), trust: { origin: 'api' } });
  await release(localActor, id, { label: 'live', target: { draft: 'main' }, note: '' });
  return id;
}

async function forbid(project: ProjectId): Promise<void> {
  await setRule(localActor, project, {
    name: 'Sends are guarded',
    level: 'block',
    demand: { kind: 'hook', tools: ['send'], hook: 'guard.ts:guard', place: 'any' },
  });
}

type Route = (request: Request, context: { params: Promise<{ project: string }> }) => Promise<Response>;

/** Posts to a route, and returns the text of the answer. */
async function post(route: Route, project: ProjectId, body: unknown): Promise<string> {
  const request = new Request(`http://127.0.0.1:3000/api/v1/projects/${project}`, {
    method: 'POST',
    headers: {
      host: '127.0.0.1:3000',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'A2A-Version': '1.0',
    },
    body: JSON.stringify(body),
  });
  const response = await route(request, { params: Promise.resolve({ project }) });
  return await response.text();
}

const rpc = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 1, method, params });
const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Go' }] };

async function newestRun(project: ProjectId) {
  const where = { projectId: project };
  const row = await store.prisma.run.findFirst({ where, select: { id: true }, orderBy: { createdAt: 'desc' } });
  return row === null ? undefined : await findRun(store, brandAs<RunId>(row.id));
}

/** Starts a run, and returns what the caller is told about it, if it waits for the end. */
type Start = (project: ProjectId) => Promise<string | undefined>;

const starts: readonly (readonly [name: string, start: Start])[] = [
  ['a request of the HTTP API', (project) => unheard(post(start, project, { message: 'Go' }))],
  ['a turn of a chat', (project) => unheard(post(start, project, { message: 'Go', conversationId: 'new' }))],
  ['a schedule that is due', (project) => unheard(storedTrigger(store, project))],
  [
    'a trigger that a person runs',
    async (project) => {
      const id = await storedTrigger(store, project, { nextAt: new Date(Date.now() + 3_600_000) });
      return await unheard(runTriggerNow(localActor, project, id));
    },
  ],
  ['an agent over A2A', (project) => post(askAgent, project, rpc('SendMessage', { message }))],
  [
    'a program over MCP',
    (project) => post(callTool, project, rpc('tools/call', { name: 'lead', arguments: { message: 'Go' } })),
  ],
];

async function unheard(work: Promise<unknown>): Promise<undefined> {
  await work;
}

test.each(starts)('a run of what is live is refused by a rule that was set since: %s', async (_name, begin) => {
  const project = await liveProject();
  await forbid(project);
  const told = await begin(project);
  const status = async () => (await newestRun(project))?.status;
  await expect.poll(status, { timeout: patienceMs, interval: 50 }).toBe('failed');
  expect((await newestRun(project))?.error).toEqual({ code: 'policy', message: sentence });
  if (told !== undefined) expect(told).toContain(sentence);
});

test.each(starts)('the same start runs without the rule: %s', async (_name, begin) => {
  const project = await liveProject();
  await begin(project);
  const status = async () => (await newestRun(project))?.status;
  await expect.poll(status, { timeout: patienceMs, interval: 50 }).toBe('completed');
});
