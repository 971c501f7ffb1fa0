import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { PUT as put } from '@/app/api/v1/secrets/[name]/route';
import { POST as tryKey } from '@/app/api/v1/secrets/[name]/test/route';
import { GET as readTask } from '@/app/api/v1/tasks/[task]/route';
import { brandAs, type CorrelationId, type ProjectId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { openRunQueue } from '@/lib/jobs/enqueue';
import { systemClock } from '@/lib/jobs/system-clock';
import { readAllEvents, runEventsChannel } from '@/lib/store/events';
import { openNotifications } from '@/lib/store/notifications';
import { findProject, insertProject } from '@/lib/store/projects';
import { openingKey } from '@/lib/store/sealing';
import { startFakeOpenAI } from '@/lib/testing/fake-openai';
import { testDatabase } from '@/lib/testing/postgres';
import { watchRun } from '@/lib/testing/watch-run';
import { endProcess, startWorkerProcess } from '@/lib/testing/worker-process';

/** Keys are set and tried by the routes; a worker process calls the server with the openai client. */

const { url, store } = await testDatabase();
const secretKey = Buffer.alloc(32, 11);
const rightKey = 'sk-canary-of-the-team-0123456789';
const wrongKey = 'sk-canary-mistyped-987654321';
let taken = rightKey;
const provider = await startFakeOpenAI({ key: () => taken, respond: () => ({ text: 'done' }) });
const data = mkdtempSync(path.join(tmpdir(), 'callboard-model-keys-'));
const news = openNotifications(url, runEventsChannel);
let worker: Awaited<ReturnType<typeof startWorkerProcess>>;

beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_SEALING_KEY', openingKey(secretKey).publicKey);
  const env = { CALLBOARD_SECRET_KEY: secretKey.toString('hex'), OPENAI_BASE_URL: provider.url, OPENAI_API_KEY: '' };
  worker = await startWorkerProcess({ databaseUrl: url, dataFolder: data, env });
}, 60_000);
beforeEach(() => {
  taken = rightKey;
});
afterAll(async () => {
  await endProcess(worker, 'SIGTERM');
  await Promise.all([news.close(), provider.close()]);
  rmSync(data, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

const host = '127.0.0.1:3000';
type Route = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

async function call(route: Route, method: string, params: Record<string, string>, query = '', body?: unknown) {
  const request = new Request(`http://${host}/api/v1/x${query}`, {
    method,
    headers: { Host: host, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return await route(request, { params: Promise.resolve(params) as never });
}

const shape = z.object({ answer: z.looseObject({ ok: z.boolean() }) });

async function tried(body: { value?: string }, query = ''): Promise<unknown> {
  const begun = await call(tryKey, 'POST', { name: 'OPENAI_API_KEY' }, query, body);
  expect(begun.status).toBe(202);
  const { task } = z.object({ task: z.string() }).parse(await begun.json());
  return shape.parse(await (await call(readTask, 'GET', { task })).json()).answer;
}

const setKey = (value: string, query = '') => call(put, 'PUT', { name: 'OPENAI_API_KEY' }, query, { value });
const newProject = () =>
  insertProject(store, 'Poems', folderOf({ 'a.md': '---\nname: a\nmodel: openai.fake-large\n---\nAnswer.\n' }), {
    origin: 'api',
  });

test('a typed key is tried by a worker, and neither the task nor the answer has it', {
  timeout: 30_000,
}, async () => {
  const { host: at } = new URL(provider.url);
  expect(await tried({ value: rightKey })).toEqual({
    ...{ ok: true, kind: 'key' },
    report: {
      ...{ outcome: 'works', models: ['fake-large', 'fake-small'] },
      message: `${at} takes the key and lists 2 models.`,
    },
  });
  expect(await tried({ value: wrongKey })).toMatchObject({ report: { outcome: 'refused' } });
  const { rows } = await store.pool.query<{ all: string }>(
    `SELECT (SELECT json_agg(t)::text FROM "Task" t) || (SELECT json_agg(a)::text FROM "Audit" a) AS all`,
  );
  const dump = JSON.stringify(rows) + JSON.stringify(await store.prisma.task.findMany());
  expect(dump).toContain('OPENAI_API_KEY');
  for (const key of [rightKey, wrongKey]) expect(dump).not.toContain(key);
});

test('a stored key is tried where it belongs, and a missing one is named', { timeout: 30_000 }, async () => {
  const project = await newProject();
  const here = `?project=${project}`;
  expect(await tried({}, here)).toMatchObject({ ok: false, code: 'not_found' });
  await setKey(wrongKey, here);
  await setKey(rightKey);
  expect(await tried({}, here)).toMatchObject({ report: { outcome: 'refused' } });
  expect(await tried({})).toMatchObject({ report: { outcome: 'works' } });
  const other = await call(tryKey, 'POST', { name: 'GITHUB_TOKEN' }, '', {});
  expect([other.status, await other.text()]).toEqual([400, expect.stringContaining('no model provider')]);
});

async function run(projectId: ProjectId) {
  const { treeHash } = await findProject(store, projectId);
  const id = brandAs<RunId>(randomUUID());
  const correlationId = brandAs<CorrelationId>(randomUUID());
  const more = { correlationId, agent: undefined, message: 'Go.', model: undefined };
  await openRunQueue(store).enqueueRun({ id, projectId, treeHash, ...more });
  const { signal } = new AbortController();
  for await (const batch of watchRun(store, news, systemClock, { id, after: 0, signal })) {
    if (batch.some(({ kind }) => kind === 'run.finished')) break;
  }
  const events = JSON.stringify(await readAllEvents(store, id));
  return { status: (await store.prisma.run.findUniqueOrThrow({ where: { id } })).status, events };
}

test('a key that was set or changed serves the next run, without a restart', { timeout: 60_000 }, async () => {
  const project = await newProject();
  await setKey(wrongKey, `?project=${project}`);
  const refused = await run(project);
  expect(refused.status).toBe('failed');
  expect(refused.events).not.toContain(wrongKey);
  await setKey(rightKey, `?project=${project}`);
  expect((await run(project)).status).toBe('completed');
  taken = `${rightKey}-rotated`;
  expect((await run(project)).status).toBe('failed');
  await setKey(taken, `?project=${project}`);
  const after = await run(project);
  expect([after.status, after.events.includes(rightKey)]).toEqual(['completed', false]);
  expect(provider.requests.map(({ headers }) => headers.authorization)).toEqual([
    `Bearer ${rightKey}`,
    `Bearer ${rightKey}-rotated`,
  ]);
});
