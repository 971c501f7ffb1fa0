import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { GET as exportAll } from '@/app/api/v1/audit/export/route';
import { GET as list } from '@/app/api/v1/audit/route';
import { DELETE as revoke } from '@/app/api/v1/grants/[grant]/route';
import { POST as answer } from '@/app/api/v1/pending/[item]/answer/route';
import { GET as readFiles } from '@/app/api/v1/projects/[project]/files/route';
import { DELETE as deleteProject, PATCH as rename } from '@/app/api/v1/projects/[project]/route';
import { POST as create } from '@/app/api/v1/projects/route';
import { DELETE as deleteRun } from '@/app/api/v1/runs/[run]/route';
import { GET as exportList } from '@/app/api/v1/runs/export/route';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import { removeRuns } from '@/lib/server/run-bin';
import { callCallboard } from '@/lib/testing/callboard';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { storedItem } from '@/lib/testing/stored-item';
import { storedRun } from '@/lib/testing/stored-run';

const { url, store } = await testDatabase();
const folder = mkdtempSync(path.join(tmpdir(), 'callboard-audit-'));

beforeAll(() => vi.stubEnv('DATABASE_URL', url));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const host = '127.0.0.1:3000';
type Route = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

async function call(route: Route, method: string, params: Record<string, string> = {}, body?: unknown, query = '') {
  const request = new Request(`http://${host}/api/v1/x${query}`, {
    method,
    headers: { Host: host, 'Content-Type': 'application/json', Authorization: 'Bearer none' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return await route(request, { params: Promise.resolve(params) as never });
}

const page = z.object({
  entries: z.array(z.looseObject({ seq: z.number(), action: z.string(), actor: z.string(), via: z.string() })),
  next: z.number().nullable(),
});

async function entries(query = '') {
  const response = await call(list, 'GET', {}, undefined, query);
  expect(response.status).toBe(200);
  return page.parse(await response.json());
}

test('what people do to a project is recorded with who did it, and stays when the project is gone', async () => {
  const made = await call(create, 'POST', {}, { name: 'Poems', template: 'blank' });
  const { id } = z.object({ id: z.string() }).parse(await made.json());
  await call(rename, 'PATCH', { project: id }, { name: 'Odes' });
  await (await call(readFiles, 'GET', { project: id }, undefined, '?format=zip')).arrayBuffer();
  await call(deleteProject, 'DELETE', { project: id });
  const { entries: found } = await entries(`?project=${id}`);
  expect(found.map(({ action }) => action)).toEqual([
    'project.deleted',
    'project.exported',
    'project.renamed',
    'project.created',
  ]);
  expect(found.every(({ actor, via }) => actor === 'local' && via === 'api')).toBe(true);
});

test('an answer, what it remembers and its end are recorded, without what was sent', async () => {
  const runId = await storedRun(store);
  const item = await storedItem(store, runId);
  const given = { decision: 'approve', note: 'the secret word', remember: { scope: 'run' } };
  expect((await call(answer, 'POST', { item }, given)).status).toBe(200);
  expect((await call(answer, 'POST', { item }, given)).status).toBe(409);
  const [grant] = (await entries('?action=grant.given&limit=1')).entries;
  await call(revoke, 'DELETE', { grant: z.string().parse(grant?.object) });
  const { entries: found } = await entries('?action=item.answered,grant.given,grant.revoked&limit=3');
  expect(found.map(({ action }) => action)).toEqual(['grant.revoked', 'grant.given', 'item.answered']);
  expect(JSON.stringify(found)).not.toContain('secret word');
});

async function endedRun(): Promise<{ readonly run: RunId; readonly project: ProjectId }> {
  const run = await storedRun(store);
  const { projectId: project } = await store.prisma.run.update({ where: { id: run }, data: { status: 'completed' } });
  return { run, project: brandAs<ProjectId>(project) };
}

test('a run that is deleted leaves an entry in its project', async () => {
  const { run, project } = await endedRun();
  expect((await call(deleteRun, 'DELETE', { run })).status).toBe(204);
  const [newest] = (await entries('?limit=1')).entries;
  expect(newest).toMatchObject({ action: 'runs.binned', project, body: JSON.stringify({ deleted: 1, runs: [run] }) });
});

test('runs of several projects that leave or go are in the entries of each project', async () => {
  const [first, second, other] = [await endedRun(), await endedRun(), await endedRun()];
  const chosen = [first.run, second.run];
  const since = (await entries('?limit=1')).entries[0]?.seq ?? 0;
  const noted = async (action: string) => {
    const { entries: found } = await entries(`?action=${action}&limit=10`);
    return found.filter(({ seq }) => seq > since).map(({ project, body }) => ({ project, body: `${body}` }));
  };

  const whole = await (await call(exportList, 'GET', {}, undefined, '?format=json')).text();
  const filter = JSON.stringify({ filter: '[]' });
  expect(await noted('runs.exported')).toEqual(
    expect.arrayContaining([first, second, other].map(({ project }) => ({ project, body: filter }))),
  );
  for (const run of [...chosen, other.run]) expect(whole).toContain(run);

  await removeRuns(localActor, { ids: chosen }, 'keep');
  const deleted = await noted('runs.binned');
  expect(deleted).toHaveLength(2);
  for (const { project, run } of [first, second]) {
    expect(deleted).toContainEqual({ project, body: JSON.stringify({ deleted: 1, runs: [run] }) });
    const { entries: own } = await entries(`?project=${project}&limit=2`);
    expect(own.map(({ action }) => action)).toEqual(['runs.binned', 'runs.exported']);
  }
});

test('an export without a run is recorded once, without a project', async () => {
  const response = await call(exportList, 'GET', {}, undefined, '?format=json&project=none');
  expect(await response.json()).toEqual([]);
  expect((await entries('?limit=1')).entries).toMatchObject([{ action: 'runs.exported', project: null }]);
});

test('pages follow each other, and a filter that does not exist is refused', async () => {
  const first = await entries('?limit=2');
  const second = await entries(`?limit=2&before=${first.next}`);
  expect(second.entries[0]?.seq).toBe((first.entries[1]?.seq ?? 0) - 1);
  expect((await call(list, 'GET', {}, undefined, '?action=nothing')).status).toBe(400);
});

test('an exported log is checked without the app, and a change in it shows', async () => {
  const text = await (await call(exportAll, 'GET')).text();
  const [file, forged] = ['audit.ndjson', 'forged.ndjson'].map((name) => path.join(folder, name)) as [string, string];
  writeFileSync(file, text);
  writeFileSync(forged, text.replace('"local"', '"nobody"'));
  const lines = text.trim().split('\n').length;
  const { entries: noted } = await entries('?action=audit.exported');
  expect(noted).toMatchObject([{ actor: 'local', via: 'api', object: 'audit', project: null, seq: lines }]);
  expect(await callCallboard(['audit', '--check', file])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${lines} entries, and nothing was changed.`),
  });
  expect(await callCallboard(['audit', '--check', forged])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('Entry 1 was changed'),
  });
});
