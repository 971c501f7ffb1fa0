import { beforeAll, beforeEach, expect, test } from 'vitest';
import { GET as EVENTS } from '@/app/api/v1/runs/[run]/events/route';
import { DELETE as DELETE_ONE, GET as GET_ONE } from '@/app/api/v1/runs/[run]/route';
import { DELETE as DELETE_NOW, GET as GET_BIN } from '@/app/api/v1/runs/bin/route';
import { POST as RESTORE } from '@/app/api/v1/runs/restore/route';
import { DELETE } from '@/app/api/v1/runs/route';
import type { ProjectId, RunId } from '@/lib/base/ids';
import { findRun } from '@/lib/store/runs';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { personInBrowser, scriptRequest, tokenFor, withTokens } from '@/lib/testing/token-people';

const { url, store } = await testDatabase();
withTokens(url);

let token: string;
let mine: RunId;
let other: RunId;
let project: ProjectId;

beforeAll(async () => {
  [mine, other] = [await storedRun(store), await storedRun(store)];
  project = (await findRun(store, mine)).projectId;
  const theirs = (await findRun(store, other)).projectId;
  const ada = await personInBrowser(store, 'ada@delete.example', { in: { [project]: 'admin', [theirs]: 'admin' } });
  token = await tokenFor(ada, ['edit', 'manage']);
});

beforeEach(async () => {
  await store.prisma.run.updateMany({ data: { status: 'completed', finishedAt: new Date() } });
});

type Route<P> = (request: Request, context: { readonly params: Promise<P> }) => Promise<Response>;

async function ask<P>(route: Route<P>, params: P, asked: RequestInit & { readonly path: string }) {
  const response = await route(scriptRequest(`Bearer ${token}`, asked), { params: Promise.resolve(params) });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

const remove = (query: string) => ask(DELETE, {}, { method: 'DELETE', path: `/api/v1/runs?${query}` });
const restore = (body: object) =>
  ask(RESTORE, {}, { method: 'POST', path: '/api/v1/runs/restore', body: JSON.stringify(body) });
const bin = async () => (await ask(GET_BIN, {}, { path: '/api/v1/runs/bin' })).body;
const statusOf = async (run: RunId) => (await ask(GET_ONE, { run }, { path: `/api/v1/runs/${run}` })).status;

const stored = async () => (await store.prisma.run.findMany({ select: { id: true } })).map(({ id }) => id).sort();

test.each([
  [
    'a misspelt part',
    `status=completed&projct=x`,
    'There is no query part "projct". Did you mean "project"? Known: status',
  ],
  ['a misspelt operator', `project=x&duration.gtt=5s`, 'There is no query part "duration.gtt".'],
  ['a part without a value', `status=completed&project=`, 'project: has no value. Give one, or leave it out.'],
  ['no part', '', 'Say which runs: give at least one of status,'],
  ['no part but dryRun', 'dryRun=true', 'Say which runs: give at least one of status,'],
  ['the former way to name all', 'all=true', 'There is no query part "all".'],
])('%s deletes no run', async (_name, query, sentence) => {
  const before = await stored();
  expect(await remove(query)).toMatchObject({
    status: 400,
    body: { error: { code: 'bad_request', message: expect.stringContaining(sentence) } },
  });
  expect(await stored()).toEqual(before);
});

test('dryRun tells how many runs would go and names some, and the deletion keeps to the filter', async () => {
  const before = await stored();
  const filter = `status=completed&project=${project}`;
  expect(await remove(`${filter}&dryRun=true`)).toEqual({
    status: 200,
    body: { wouldDelete: 1, some: [mine], active: 0 },
  });
  expect(await stored()).toEqual(before);
  const removed = await remove(filter);
  expect(removed).toEqual({ status: 200, body: { deleted: 1, more: false, deletion: expect.any(String) } });
  expect(await stored()).toEqual(before.filter((id) => id !== mine));
  expect(await stored()).toContain(other);
  expect(await restore({ deletions: [removed.body.deletion] })).toEqual({
    status: 200,
    body: { restored: 1, more: false },
  });
  expect(await stored()).toEqual(before);
  expect(await remove(`${filter}&text=nothing`)).toEqual({
    status: 200,
    body: { deleted: 0, more: false, deletion: null },
  });
});

test('a deleted run is gone, in the bin, and back when somebody restores it', async () => {
  expect(await statusOf(mine)).toBe(200);
  const path = `/api/v1/runs/${mine}`;
  expect((await ask(DELETE_ONE, { run: mine }, { method: 'DELETE', path })).status).toBe(204);
  expect((await ask(DELETE_ONE, { run: mine }, { method: 'DELETE', path })).status).toBe(404);
  expect(await statusOf(mine)).toBe(404);
  expect((await ask(EVENTS, { run: mine }, { path: `${path}/events` })).status).toBe(404);
  expect(await bin()).toMatchObject({ runs: 1, deletions: [{ runs: 1, some: [{ id: mine, projectId: project }] }] });
  expect(await restore({ runs: [mine, 'none'] })).toEqual({ status: 200, body: { restored: 1, more: false } });
  expect(await statusOf(mine)).toBe(200);
  expect(await bin()).toEqual({ runs: 0, deletions: [] });
  expect(await restore({ runs: [mine] })).toEqual({ status: 200, body: { restored: 0, more: false } });
});

test('a run of the bin is deleted at once when somebody says so, and one that is not there stays', async () => {
  const now = (query: string) => ask(DELETE_NOW, {}, { method: 'DELETE', path: `/api/v1/runs/bin?${query}` });
  expect(await now(`run=${other}`)).toEqual({ status: 200, body: { deleted: 0, more: false } });
  expect(await stored()).toContain(other);
  expect((await now('')).status).toBe(400);
  expect((await now('run=a&deletion=b')).status).toBe(400);
  expect((await restore({ runs: ['a'], deletions: ['b'] })).status).toBe(400);
  await remove(`project=${project}`);
  expect(await now(`deletion=${(await bin()).deletions[0].id}`)).toEqual({
    status: 200,
    body: { deleted: 1, more: false },
  });
  expect(await bin()).toEqual({ runs: 0, deletions: [] });
  expect(await restore({ runs: [mine] })).toEqual({ status: 200, body: { restored: 0, more: false } });
});
