import { beforeAll, expect, test } from 'vitest';
import { fillWithRuns } from '@/lib/testing/many-runs';
import { ownDatabase } from '@/lib/testing/postgres';
import { conditionsOf } from '@/lib/testing/run-conditions';
import { costsOf } from '@/lib/testing/statement-costs';
import { type RunSortField, readSort, runSorts } from '@/lib/trace/run-sort';
import type { ListedRun } from './run-pages';
import { findSortedRuns } from './sorted-runs';

const { url, store } = await ownDatabase();
beforeAll(() => fillWithRuns(store, { runs: 20_000, projects: 20 }));

const page = (text: string, { query = '', offset = 0, limit = 5 } = {}) => {
  const sort = readSort(text);
  if (sort === undefined) return expect.unreachable(text);
  return findSortedRuns(store, { where: conditionsOf(query), scope: 'all', sort, offset, limit });
};
const idsOf = ({ runs }: { readonly runs: readonly ListedRun[] }) => runs.map(({ id }) => id);

test('the longest, dearest and largest of all runs come first', async () => {
  expect(idsOf(await page('-duration'))[0]).toBe('r19500');
  expect(idsOf(await page('-cost'))[0]).toBe('r19800');
  expect(idsOf(await page('-tokens'))[0]).toBe('r19700');
  expect(idsOf(await page('-waited'))[0]).toBe('r19600');
  expect((await page('-errors')).runs.map(({ errors }) => errors)).toEqual([1, 1, 1, 1, 1]);
  expect(idsOf(await page('time'))[0]).toBe('r20000');
});

test('a sorted list is filtered, and its pages have each run once', async () => {
  const first = await page('-cost', { query: 'status=failed', limit: 50 });
  expect(first.runs.every(({ status }) => status === 'failed')).toBe(true);
  const second = await page('-cost', { query: 'status=failed', limit: 50, offset: first.next ?? 0 });
  const ids = [...idsOf(first), ...idsOf(second)];
  expect(new Set(ids).size).toBe(100);
  expect((await page('-cost', { query: 'status=failed', limit: 500 })).next).toBeUndefined();
});

test.each(Object.keys(runSorts) as RunSortField[])('runs are sorted by %s in both directions', async (field) => {
  const [up, down] = [await page(field), await page(`-${field}`)];
  expect(up.runs).toHaveLength(5);
  expect(down.runs).toHaveLength(5);
});

test('by time a filter finds the oldest runs and those that go on', async () => {
  await store.pool.query(`UPDATE "StoredRun" SET "finishedAt" = NULL, summarised = false WHERE id = 'r7'`);
  expect(idsOf(await page('-time', { query: 'tool=rare_tool_19000' }))).toEqual(['r19000']);
  expect(idsOf(await page('time', { query: 'text=number-2000' }))).toEqual(['r20000', 'r2000']);
  expect(idsOf(await page('-time', { query: 'text=number-7.' }))).toEqual(['r7']);
  expect(idsOf(await page('-time', { query: 'text=common', limit: 2, offset: 5 }))).toEqual(['r6', 'r7']);
  expect(idsOf(await page('time', { query: 'tool.not=search_3', limit: 2 }))).toEqual(['r5000', 'r4999']);
});

test.each(['text=zzzz', 'text=zz'])(
  'by time a filter of %s, which no run has, does not read all runs',
  async (query) => {
    for (const text of ['time', '-time']) {
      const costs = await costsOf(url, (other) => {
        const sort = readSort(text) ?? { field: 'time', descending: true };
        return findSortedRuns(other, { where: conditionsOf(query), scope: 'all', sort, offset: 0, limit: 30 });
      });
      expect(costs.reduce((sum, { rowsRead }) => sum + rowsRead, 0)).toBeLessThan(11_000);
    }
  },
);

test.each(['duration', 'cost', 'tokens', 'waited'])('by %s a page reads an index, and not all runs', async (field) => {
  const costs = await costsOf(url, (other) => {
    const sort = readSort(`-${field}`);
    if (sort === undefined) return expect.unreachable(field);
    return findSortedRuns(other, { where: [], scope: 'all', sort, offset: 0, limit: 30 });
  });
  expect(costs.flatMap(({ wholeTables }) => wholeTables)).not.toContain('StoredRun');
});
