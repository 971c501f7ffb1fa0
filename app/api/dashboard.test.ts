import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { GET as read } from '@/app/api/v1/runs/dashboard/route';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { bucketOf } from '@/lib/trace/time-buckets';

/** Figures of runs over the HTTP API. Who sees which is in every-operation.test.ts. */

const { url, store } = await testDatabase();
const host = '127.0.0.1:3000';

beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', url);
  for (const status of ['completed', 'failed']) {
    const id = await storedRun(store);
    await store.pool.query(
      `UPDATE "Run" SET status = $2, "startedAt" = "createdAt", "finishedAt" = "createdAt" + interval '2 seconds', tokens = 50,
         "costUsd" = 0.25, summarised = true, parts = $3::jsonb WHERE id = $1`,
      [id, status, JSON.stringify([['agent', '=lead', bucketOf(2_000), 1, status === 'failed' ? 1 : 0, 50, 0.25]])],
    );
  }
});
afterAll(() => vi.unstubAllEnvs());

const get = async (query: string) =>
  await read(new Request(`http://${host}/api/v1/runs/dashboard?${query}`, { headers: { Host: host } }), {
    params: Promise.resolve({}) as never,
  });

test('figures of a range have sums, columns without gaps, and groups', async () => {
  const { total, columns, groups, waiting } = await (await get('range=24h&by=agent')).json();
  const figures = { calls: 2, failed: 1, tokens: 100, costUsd: 0.5, peopleMs: 0 };
  expect(total).toMatchObject(figures);
  expect(Math.abs(total.p50 - 2_000)).toBeLessThan(180);
  expect(columns).toHaveLength(24);
  expect(columns.at(-1)).toMatchObject(figures);
  expect(groups).toMatchObject([{ of: { name: '=lead' }, calls: 2, failed: 1 }]);
  expect(waiting).toBe(0);
  expect((await (await get('range=90d&by=project')).json()).groups).toHaveLength(2);
  expect((await (await get('project=none')).json()).total.calls).toBe(0);
});

test('columns and groups go out as CSV, and no name is a formula', async () => {
  const groups = await get('range=24h&by=agent&csv=groups');
  expect(groups.headers.get('content-disposition')).toBe('attachment; filename="runs-24h-by-agent.csv"');
  const [head, row] = (await groups.text()).split('\r\n');
  expect(head).toBe('name,project_id,project,revision,calls,failed,p50_ms,p95_ms,tokens,cost_usd,people_ms');
  expect(row).toMatch(/^'=lead,,,,2,1,\d+,\d+,100,0.5,0$/);
  expect((await (await get('range=7d&csv=time')).text()).trim().split('\r\n')).toHaveLength(1 + 28);
});

test('a part that is unknown is refused', async () => {
  expect((await get('range=1y')).status).toBe(400);
  expect((await get('color=red')).status).toBe(400);
});
