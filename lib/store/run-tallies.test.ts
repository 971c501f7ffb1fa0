import { beforeAll, expect, test } from 'vitest';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import { ownDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { dashboardGroups, figuresByKey } from '@/lib/trace/dashboard';
import { bucketOf, noTime } from '@/lib/trace/time-buckets';
import { binSomeRuns, restoreSomeRuns } from './run-bin';
import { findTalliesBy, findTalliesOverTime, foldTallies } from './run-tallies';

const { store } = await ownDatabase();
const hour = 3_600_000;
const day = 24 * hour;
/** The beginning of today. */
const today = Math.floor(Date.now() / day) * day;
const from = today - 20 * day;
const to = today + day;
const whole = { scope: 'all', project: undefined, from, to } as const;

interface Ended {
  readonly at: number;
  readonly ms: number;
  readonly isFailed?: boolean;
  readonly tokens?: number;
  readonly costUsd?: number;
}

/** Stores a run with its summary, as the writer of events does. */
async function ended({ at, ms, isFailed = false, tokens = 100, costUsd = 0.5 }: Ended): Promise<Made> {
  const id = await storedRun(store);
  const parts = [
    ['agent', 'lead', bucketOf(ms), 1, isFailed ? 1 : 0, tokens, costUsd],
    ['tool', 'search', bucketOf(10), 2, 1, 0, 0],
    ['model', 'gpt', bucketOf(20), 3, 0, 0, 0],
    ['model', 'gpt', noTime, 0, 0, tokens, costUsd],
  ];
  const { rows } = await store.pool.query<{ projectId: string }>(
    `UPDATE "Run" SET status = $2, "createdAt" = to_timestamp($3::float8 / 1000), "startedAt" = to_timestamp($3::float8 / 1000),
       "finishedAt" = to_timestamp(($3::float8 + $4) / 1000), tokens = $5, "costUsd" = $6, "peopleMs" = 7, parts = $7::jsonb, summarised = true
     WHERE id = $1 RETURNING "projectId"`,
    [id, isFailed ? 'failed' : 'completed', at, ms, tokens, costUsd, JSON.stringify(parts)],
  );
  return { id, project: brandAs<ProjectId>(rows[0]?.projectId ?? '') };
}

interface Made {
  readonly id: RunId;
  readonly project: ProjectId;
}

/** Counts again from the runs that are not in the bin, without tallies. */
async function countedAgain() {
  const { rows } = await store.pool.query<{
    calls: number;
    failed: number;
    tokens: number;
    costUsd: number;
    peopleMs: number;
  }>(
    `SELECT count(*)::int AS calls, count(*) FILTER (WHERE status = 'failed')::int AS failed, COALESCE(sum(tokens), 0) AS tokens,
       COALESCE(sum("costUsd"), 0) AS "costUsd", COALESCE(sum("peopleMs"), 0) AS "peopleMs" FROM "Run" WHERE parts IS NOT NULL AND fixture IS NULL`,
  );
  return rows[0];
}

async function total() {
  const rows = await findTalliesOverTime(store, whole, day);
  return figuresByKey(rows.map((row) => ({ ...row, key: 'all' }))).get('all');
}

let made: readonly Made[];
beforeAll(async () => {
  made = [
    await ended({ at: today + 1_000, ms: 100 }),
    await ended({ at: today + 2_000, ms: 400, isFailed: true }),
    await ended({ at: today - 3 * day, ms: 900, tokens: 30 }),
    await ended({ at: today - 12 * day + 5 * hour, ms: 50, costUsd: 2 }),
    await ended({ at: today - 12 * day + 9 * hour, ms: 60, costUsd: 3 }),
  ];
});

const close = (expected: Awaited<ReturnType<typeof countedAgain>>) => ({
  ...expected,
  costUsd: expect.closeTo(expected?.costUsd ?? 0, 6),
});

test('figures are those of the runs, whatever happens to these, and folding changes nothing', async () => {
  const [first, failed, , old] = made;
  if (first === undefined || failed === undefined || old === undefined) return expect.unreachable();
  const agrees = async () => {
    const counted = await countedAgain();
    expect(await total()).toMatchObject(close(counted));
    await foldTallies(store);
    expect(await total()).toMatchObject(close(counted));
  };
  await agrees();
  expect(await countedAgain()).toMatchObject({ calls: 5, failed: 1 });

  await binSomeRuns(store, { scope: 'all', ids: [failed.id, old.id] }, { id: 'd1', by: 'ann@example.org' });
  expect(await countedAgain()).toMatchObject({ calls: 3, failed: 0 });
  await agrees();
  await restoreSomeRuns(store, { scope: 'all', deletions: ['d1'] });
  await agrees();

  // An imported run has new events, also one that is already in the row of its day, with the same sums.
  await store.pool.query(`UPDATE "Run" SET status = 'failed' WHERE id = $1`, [old.id]);
  await agrees();
  await store.pool.query(`UPDATE "Run" SET "peopleMs" = 9 WHERE id = $1`, [old.id]);
  await agrees();
  await store.pool.query(`UPDATE "Run" SET tokens = 1000, "costUsd" = 9, status = 'failed' WHERE id = $1`, [first.id]);
  await agrees();
  await store.pool.query('DELETE FROM "StoredRun" WHERE id = $1', [failed.id]);
  await store.pool.query('DELETE FROM "Project" WHERE id = $1', [old.project]);
  expect(await countedAgain()).toMatchObject({ calls: 3 });
  await agrees();
});

test('a run that never started is counted without a duration', async () => {
  const { id, project } = await ended({ at: today + 3_000, ms: 100 });
  await store.pool.query('UPDATE "Run" SET "startedAt" = NULL WHERE id = $1', [id]);
  const rows = await findTalliesBy(store, { ...whole, project }, 'project', 20);
  const counted = rows.filter(({ calls }) => calls > 0);
  expect(counted.map(({ bucket, calls }) => [bucket, calls])).toEqual([[noTime, 1]]);
});

test('columns are hours or days of the start, and groups have what took part', async () => {
  const overTime = figuresByKey(await findTalliesOverTime(store, { ...whole, from: today - 12 * day }, day));
  expect([...overTime.keys()].filter((key) => (overTime.get(key)?.calls ?? 0) > 0)).toContain(today - 3 * day);
  for (const group of dashboardGroups) {
    const rows = await findTalliesBy(store, whole, group, 20);
    expect(rows.length).toBeGreaterThan(0);
  }
  const [tool] = figuresByKey(await findTalliesBy(store, whole, 'tool', 20));
  expect(tool?.[0]).toEqual({ project: undefined, name: 'search', projectName: undefined, revision: undefined });
  expect(tool?.[1].p50).toBeCloseTo(10, -1);
  const [model] = figuresByKey(await findTalliesBy(store, whole, 'model', 20));
  expect(model?.[1].tokens).toBeGreaterThan(0);
});

test('only projects of the scope are counted', async () => {
  const [, , third] = made;
  if (third === undefined) return expect.unreachable();
  const only = figuresByKey(await findTalliesBy(store, { ...whole, scope: [third.project] }, 'project', 20));
  expect([...only].map(([{ project }, { calls }]) => ({ project, calls }))).toEqual([
    { project: third.project, calls: 1 },
  ]);
  expect(await findTalliesOverTime(store, { ...whole, scope: [] }, day)).toEqual([]);
  expect(await findTalliesBy(store, { ...whole, scope: [], project: third.project }, 'agent', 20)).toEqual([]);
});
