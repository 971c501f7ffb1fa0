import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { localActor } from '@/lib/base/actor';
import { brandAs, type CorrelationId, type ProjectId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { openRunQueue } from '@/lib/jobs/enqueue';
import { systemClock } from '@/lib/jobs/system-clock';
import { beginSignIn, forgetSignIn, readSignIns } from '@/lib/server/sign-ins';
import { startTask, waitForTask } from '@/lib/server/tasks';
import { readAllEvents, runEventsChannel } from '@/lib/store/events';
import { openNotifications } from '@/lib/store/notifications';
import { findProject, insertProject } from '@/lib/store/projects';
import { openingKey } from '@/lib/store/sealing';
import { startOAuthServers } from '@/lib/testing/oauth-server';
import { testDatabase } from '@/lib/testing/postgres';
import { watchRun } from '@/lib/testing/watch-run';
import { endProcess, startWorkerProcess } from '@/lib/testing/worker-process';
import { GET as callback } from './callback/route';
import { GET as start } from './start/route';

const { url, store } = await testDatabase();
const secretKey = Buffer.alloc(32, 12);
const servers = await startOAuthServers();
const data = mkdtempSync(path.join(tmpdir(), 'callboard-sign-in-'));
const news = openNotifications(url, runEventsChannel);
const me = localActor('web');
const { signal } = new AbortController();
const workers: Awaited<ReturnType<typeof startWorkerProcess>>[] = [];

beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_SEALING_KEY', openingKey(secretKey).publicKey);
  const env = { CALLBOARD_SECRET_KEY: secretKey.toString('hex') };
  workers.push(await startWorkerProcess({ databaseUrl: url, dataFolder: data, env }));
}, 60_000);
afterAll(async () => {
  for (const worker of workers) await endProcess(worker, 'SIGTERM');
  await Promise.all([news.close(), servers.close()]);
  rmSync(data, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

const host = '127.0.0.1:3000';
const newProject = () =>
  insertProject(
    store,
    'Guarded',
    folderOf({
      'a.md': `---\nname: a\nmodel: passthrough\nservers: [who]\n---\nAnswer.\n`,
      'fast-agent.yaml': `mcp:\n  servers:\n    who: { url: "${servers.url}" }\n`,
    }),
    { origin: 'api' },
  );

function get(route: typeof start, address: string, headers: Record<string, string> = {}): Promise<Response> {
  return route(new Request(address, { headers: { host, ...headers } }), { params: Promise.resolve({}) });
}

async function probe(project: ProjectId) {
  const task = await startTask(me, project, { request: { kind: 'probe', server: 'who' }, changes: [] });
  const ended = await waitForTask(me, task, signal);
  return ended.state === 'ended' ? JSON.parse(ended.answer).report : ended;
}

/** Begins a sign-in, and returns where the browser comes back with its cookie. */
async function travel(project: ProjectId) {
  const task = await beginSignIn(me, project, { server: 'who', origin: `http://${host}` });
  const ended = await waitForTask(me, task, signal);
  const answer = JSON.parse(ended.state === 'ended' ? ended.answer : '{}');
  expect(answer).toMatchObject({ ok: true, kind: 'sign-in', host: new URL(servers.issuer).host });
  const left = await get(start, `http://${host}/oauth/mcp/start?attempt=${answer.attempt}`);
  expect(left.status).toBe(303);
  const cookie = left.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { back: await servers.allow(left.headers.get('location') ?? ''), cookie, attempt: answer.attempt };
}

async function run(project: ProjectId) {
  const { treeHash } = await findProject(store, project);
  const id = brandAs<RunId>(randomUUID());
  const more = { correlationId: brandAs<CorrelationId>(randomUUID()), agent: undefined, model: undefined };
  const message = '***CALL_TOOL who__whoami {}';
  await openRunQueue(store).enqueueRun({ id, projectId: project, treeHash, message, ...more });
  for await (const batch of watchRun(store, news, systemClock, { id, after: 0, signal })) {
    if (batch.some(({ kind }) => kind === 'run.finished')) break;
  }
  return JSON.stringify(await readAllEvents(store, id));
}

test('probe, sign in, use, renew, forget: tokens reach the server alone', { timeout: 120_000 }, async () => {
  const project = await newProject();
  expect(await probe(project)).toMatchObject({
    needsSignIn: true,
    why: expect.stringContaining('Settings, MCP servers'),
  });
  expect(await run(project)).toContain('needs a sign-in');

  const { back, cookie, attempt } = await travel(project);
  expect(back.pathname).toBe('/oauth/mcp/callback');
  expect((await get(callback, back.href)).status).toBe(400);
  expect((await get(callback, back.href, { cookie: cookie.replace(/=.*/, '=another') })).status).toBe(400);
  const done = await get(callback, back.href, { cookie });
  expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('Signed in')]);
  expect((await get(callback, back.href, { cookie })).status).toBe(400);
  expect((await get(start, `http://${host}/oauth/mcp/start?attempt=${attempt}`)).status).toBe(404);

  expect(await probe(project)).toMatchObject({ tools: [{ name: 'whoami' }] });
  const events = await run(project);
  expect(events).toContain('you sent Bearer ***');

  servers.expireAccess();
  expect(await run(project)).toContain('you sent Bearer ***');
  expect(servers.counts).toMatchObject({ codes: 1, refreshes: 1, reused: 0 });
  const [kept] = await readSignIns(me, project);
  expect(kept).toMatchObject({ server: 'who', address: servers.url, by: 'local', endedBecause: null });
  expect([kept?.refreshedAt, kept?.usedAt].every((at) => typeof at === 'number')).toBe(true);

  servers.behaviour.tokenError = { status: 400, error: 'invalid_grant' };
  servers.expireAccess();
  expect(await run(project)).toContain('needs a sign-in');
  expect((await readSignIns(me, project))[0]?.endedBecause).toContain('invalid_grant');
  servers.behaviour.tokenError = undefined;

  const again = await travel(project);
  expect((await get(callback, again.back.href, { cookie: again.cookie })).status).toBe(200);
  const [second] = await readSignIns(me, project);
  await forgetSignIn(me, project, second?.id ?? '');
  await vi.waitFor(() => expect(servers.counts.revoked).toBe(2), { timeout: 15_000 });
  expect(await readSignIns(me, project)).toEqual([]);
  expect(await probe(project)).toMatchObject({ needsSignIn: true });

  const tables = ['Task', 'Audit', 'Event', 'McpSignIn', 'McpSignInAttempt', 'Run', 'Setting'];
  for (const table of tables) {
    const { rows } = await store.pool.query(`SELECT t::text AS row FROM "${table}" t`);
    const dump = JSON.stringify(rows);
    for (const secret of servers.secrets) expect(dump.includes(secret), `${table} has ${secret}`).toBe(false);
  }
});

test('the browser leaves from a page of the app alone', async () => {
  const address = `http://${host}/oauth/mcp/start?attempt=x`;
  const lured = await get(start, address, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' });
  expect(lured.status).toBe(403);
});
