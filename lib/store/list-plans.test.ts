import { beforeAll, expect, test } from 'vitest';
import { brandAs, type PendingId, type ProjectId, type RunId, type TreeHash } from '@/lib/base/ids';
import { resumeAnswered } from '@/lib/jobs/resume-runs';
import { fillWithRuns } from '@/lib/testing/many-runs';
import { ownDatabase } from '@/lib/testing/postgres';
import { conditionsOf } from '@/lib/testing/run-conditions';
import { costsOf } from '@/lib/testing/statement-costs';
import { findExpired } from './end-items';
import { findItems, type ItemPlace } from './pending-items';
import { findProjectNames, findProjectPage } from './project-pages';
import { findRunPage, type RunPlace } from './run-pages';
import { findLastRun, findRun, findTreeOfRun } from './runs';
import { findTreesOfRuns } from './trees';

const { url, store } = await ownDatabase();
const size = { runs: 20_000, projects: 5_000 };

beforeAll(() => fillWithRuns(store, size));

const listed = (query: string, after?: RunPlace) =>
  costsOf(url, (store) => findRunPage(store, { scope: 'all', where: conditionsOf(query), after, limit: 30 }));
const sumOf = (costs: Awaited<ReturnType<typeof costsOf>>) => ({
  statements: costs.length,
  rowsRead: costs.reduce((sum, cost) => sum + cost.rowsRead, 0),
  wholeTables: costs.flatMap((cost) => cost.wholeTables),
});

test.each<[string, string, number, number]>([
  ['without a filter', '', 3, 1_000],
  ['of a state', 'status=failed', 3, 1_000],
  ['of several states', 'status=failed,cancelled', 3, 3_500],
  ['not of a state', 'status.not=completed', 3, 3_500],
  ['of a project', 'project=p7', 4, 200],
  ['of a group', 'correlation=c7', 4, 50],
  ['of a tree', 'files=t700', 4, 400],
  // It reads the entries of 7,200 seconds from one index, because a walk would read as many as 5,000 rows.
  ['of a time', 'time.after=2h', 3, 8_000],
  ['of an importer that recorded none', 'source=fast-agent', 2, 100],
  ['of all importers', 'source.not=callboard', 2, 100],
  ['of a person who started none', 'by=ada@example.org', 2, 100],
  ['of a trigger that started none', 'trigger=g7', 2, 100],
  ['not of a person', 'by.not=ada@example.org', 3, 1_000],
  ['with a common text', 'text=common', 3, 1_000],
  ['of an agent', 'agent=AGENT-7', 3, 3_000],
  ['of a tool', 'tool=search_', 3, 3_000],
  ['of a hook by its whole name', 'hook.is=hooks.ts:audit-3', 3, 8_000],
  ['of a model', 'model=MODEL-3', 3, 3_000],
  ['with errors', 'errors.gt=0', 3, 4_000],
  ['that took long', 'duration.gt=20s', 3, 1_000],
  ['with any score', 'score=any', 3, 2_000],
  ['with a good score', 'score.min=0.5', 3, 3_000],
  ['with a good score of a name', 'score.gt=quality:0.5', 3, 3_000],
  ['without a score', 'score=none', 3, 3_000],
  ['that cost much, of a state', 'status=failed&cost.gt=0.02', 3, 4_000],
])('a page of runs %s reads no table from end to end', async (_name, query, statements, mostRows) => {
  const cost = sumOf(await listed(query));
  expect(cost).toMatchObject({ statements, wholeTables: [] });
  expect(cost.rowsRead).toBeLessThan(mostRows);
});

test('a page far down the list reads as few rows as the first', async () => {
  const cost = sumOf(await listed('', { createdAt: new Date(Date.now() - 5_000_000), id: brandAs('r5000') }));
  expect(cost).toMatchObject({ statements: 3, wholeTables: [] });
  expect(cost.rowsRead).toBeLessThan(1_000);
});

test.each([
  ['text=number-19777.', ['r19777']],
  ['tool=rare_tool_19000', ['r19000']],
  ['duration.gt=3h', ['r19500']],
  ['waited.gt=1h', ['r19600']],
  ['people.gt=1h', ['r19400']],
  ['tokens.gt=50M', ['r19700']],
  ['cost.gt=500', ['r19800']],
  ['score.lt=0.05', ['r19200']],
  ['score=rare', ['r19100']],
  ['score.min=rare:0.1', ['r19100']],
  ['score=no-such-name', []],
  ['text=no such text', []],
  ['hook=no-such-hook', []],
])('%s is found among old runs by an index, after a walk over the newest', async (query, ids) => {
  const { groups, next } = await findRunPage(store, { scope: 'all', where: conditionsOf(query), limit: 30 });
  expect(groups.flatMap(({ runs }) => runs.map(({ id }) => id))).toEqual(ids);
  expect(next).toBeUndefined();
  const cost = sumOf(await listed(query));
  expect(cost.wholeTables).toEqual([]);
  // The scan looks up the score of each run, which a fifth of them has.
  expect(cost.rowsRead).toBeLessThan(query.startsWith('score') ? 12_000 : 11_000);
});

test('a text too short for the index is looked for among the newest runs, and the next page goes on from there', async () => {
  const cost = sumOf(await listed('text=~'));
  expect(cost.wholeTables).toEqual([]);
  expect(cost.rowsRead).toBeLessThan(11_000);
  const where = conditionsOf('text=~');
  const first = await findRunPage(store, { scope: 'all', where, limit: 30 });
  expect(first).toMatchObject({ groups: [], next: { id: 'r5000' } });
  const second = await findRunPage(store, { scope: 'all', where, limit: 30, after: first.next });
  expect(second).toMatchObject({ groups: [], next: { id: 'r10000' } });
});

test.each([
  ['the first', undefined],
  ['a later', { updatedAt: new Date(Date.now() - 12_000_000), id: brandAs<ProjectId>('p200') }],
])('%s page of projects looks up summaries and last runs of its own rows alone', async (_which, after) => {
  const costs = await costsOf(url, (store) => findProjectPage(store, { scope: 'all', limit: 60, after }));
  // Both are asked at once, and either may be recorded first.
  const [page, count] = costs.toSorted((a, b) => b.sql.length - a.sql.length);
  expect(page?.wholeTables).toEqual([]);
  expect(page?.rowsRead).toBeLessThan(61 * 4 + 5);
  expect(count?.rowsRead).toBe(size.projects);
});

test('a part of a name reads the projects, and nothing of the others', async () => {
  for (const find of [findProjectPage, findProjectNames]) {
    const found = sumOf(await costsOf(url, (store) => find(store, { scope: 'all', text: '81DC9BDB', limit: 60 })));
    expect(found.statements).toBe(2);
    expect(found.rowsRead).toBeLessThan(2 * size.projects + 5);
  }
});

test('a project page reads one run, and neither page of a run reads others', async () => {
  const last = sumOf(await costsOf(url, (store) => findLastRun(store, brandAs<ProjectId>('p9'))));
  expect(last).toEqual({ statements: 1, rowsRead: 1, wholeTables: [] });
  for (const find of [findRun, findTreeOfRun]) {
    const run = sumOf(await costsOf(url, (store) => find(store, brandAs('r9'))));
    expect(run).toMatchObject({ statements: 1, wholeTables: [] });
    expect(run.rowsRead).toBeLessThan(5);
  }
});

test('what a worker asks about its work folders reads one run of each tree, however many there are', async () => {
  const hashes = ['t1', 't2', 'gone'].map((hash) => brandAs<TreeHash>(hash));
  expect(await findTreesOfRuns(store, hashes)).toEqual(new Set(['t1', 't2']));
  const asked = sumOf(await costsOf(url, (store) => findTreesOfRuns(store, hashes)));
  expect(asked).toEqual({ statements: 1, rowsRead: 2, wholeTables: [] });
});

test('of 20,000 questions a page, and looks for limits and answers, read their own rows alone', async () => {
  await store.pool.query(`
    INSERT INTO "PendingItem" (id, "runId", "projectId", stint, kind, path, step, sentence, question, status, "limitAt", recorded, "createdAt")
    SELECT 'i' || n, 'r' || n / 2, run."projectId", 0, 'approval', 'lead', 'lead#t' || n, '"Send"', '{}',
      CASE WHEN n % 2 = 0 THEN 'open' ELSE 'answered' END, now() + interval '1 hour', n % 2 = 1, now() - make_interval(secs => n)
    FROM generate_series(0, 19999) n JOIN "Run" run ON run.id = 'r' || n / 2`);
  await store.pool.query('VACUUM ANALYZE "PendingItem"');
  const page = async (filter: Parameters<typeof findItems>[1], after?: ItemPlace) =>
    sumOf(await costsOf(url, (store) => findItems(store, filter, { after, limit: 100 })));
  const middle = { createdAt: new Date(Date.now() - 5_000_000), id: brandAs<PendingId>('i5000') };
  for (const cost of [
    await page({ scope: 'all', status: 'open' }),
    await page({ scope: 'all', status: 'open' }, middle),
    await page({ scope: 'all', status: 'open', project: brandAs<ProjectId>('p7') }),
    await page({ scope: 'all', run: brandAs<RunId>('r9') }),
  ]) {
    expect(cost).toMatchObject({ statements: 1, wholeTables: [] });
    expect(cost.rowsRead).toBeLessThan(250);
  }
  const looks = sumOf(await costsOf(url, async (store) => [await findExpired(store), await resumeAnswered(store)]));
  expect(looks).toEqual({ statements: 2, rowsRead: 0, wholeTables: [] });
});
