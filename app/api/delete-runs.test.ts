import { beforeAll, beforeEach, expect, test } from 'vitest';
import { DELETE } from '@/app/api/v1/runs/route';
import type { ProjectId, RunId } from '@/lib/base/ids';
import { findRun } from '@/lib/store/runs';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { personInBrowser, scriptRequest, tokenFor, withTokens } from '@/lib/testing/token-people';

const { url, store } = await testDatabase();
withTokens(url);

let token: string;
let [mine, other]: RunId[] = [];
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

async function remove(query: string) {
  const request = scriptRequest(`Bearer ${token}`, { method: 'DELETE', path: `/api/v1/runs?${query}` });
  const response = await DELETE(request, { params: Promise.resolve({}) });
  return { status: response.status, body: await response.json() };
}

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
  expect(await remove(filter)).toEqual({ status: 200, body: { deleted: 1, more: false } });
  expect(await stored()).toEqual(before.filter((id) => id !== mine));
  expect(await stored()).toContain(other);
});
