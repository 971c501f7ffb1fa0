import { expect, test } from 'vitest';
import type { RunId } from '@/lib/base/ids';
import { testDatabase } from '@/lib/testing/postgres';
import { conditionsOf } from '@/lib/testing/run-conditions';
import { storedRun } from '@/lib/testing/stored-run';
import { activeAmong, amountOf, deleteSomeRuns } from './delete-runs';
import { amountBeyond, applyRetention, readRetentionReport, saveRetention } from './retention';
import { findRun } from './runs';

const { store } = await testDatabase();
const never = new AbortController().signal;

/** Stores a run that ended some days ago, with one event. */
async function ended(data: {
  readonly days: number;
  readonly bytes?: number;
  readonly like?: RunId;
  readonly status?: string;
}) {
  const id = await storedRun(store);
  const project = data.like === undefined ? undefined : (await findRun(store, data.like)).projectId;
  const at = new Date(Date.now() - data.days * 86_400_000);
  await store.prisma.run.update({
    where: { id },
    data: {
      status: data.status ?? 'completed',
      createdAt: at,
      finishedAt: data.status === 'running' ? null : at,
      bytes: data.bytes ?? 1_000,
      ...(project !== undefined && { projectId: project }),
    },
  });
  await store.prisma.event.create({ data: { runId: id, seq: 1, at: 0, kind: 'log', body: '{}' } });
  return id;
}

const left = async (ids: readonly RunId[]) => {
  const rows = await store.prisma.run.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  const found = new Set(rows.map(({ id }) => id));
  return ids.map((id) => found.has(id));
};

test('runs go with their events, and an active run is never deleted', async () => {
  const [done, live, other] = [
    await ended({ days: 0 }),
    await ended({ days: 0, status: 'running' }),
    await ended({ days: 0 }),
  ];
  const choice = { scope: 'all' as const, ids: [done, live] };
  expect(await amountOf(store, choice)).toEqual({ runs: 2, active: 1, bytes: 2_000 });
  const { projectId } = await findRun(store, done);
  expect(await deleteSomeRuns(store, choice)).toEqual([{ id: done, projectId, bytes: 1_000 }]);
  expect(await deleteSomeRuns(store, choice)).toEqual([]);
  expect(await activeAmong(store, choice, 10)).toEqual([live]);
  expect(await left([done, live, other])).toEqual([false, true, true]);
  expect(await store.prisma.event.count({ where: { runId: done } })).toBe(0);
});

test('all runs of a filter go, but none that was started after the person confirmed', async () => {
  const [old, failed, late] = [
    await ended({ days: 3, status: 'failed' }),
    await ended({ days: 2, status: 'failed' }),
    await ended({ days: 0, status: 'failed' }),
  ];
  const choice = {
    scope: 'all' as const,
    where: conditionsOf('status=failed'),
    until: new Date(Date.now() - 86_400_000),
  };
  expect(new Set((await deleteSomeRuns(store, choice)).map(({ id }) => id))).toEqual(new Set([old, failed]));
  expect(await left([old, failed, late])).toEqual([false, false, true]);
});

test('without a rule retention deletes nothing', async () => {
  const id = await ended({ days: 3_000 });
  expect(await applyRetention(store, never)).toMatchObject({ runs: 0 });
  expect(await left([id])).toEqual([true]);
  expect(await readRetentionReport(store)).toBeUndefined();
});

test('retention deletes by age, then by size, and follows the rule of a project', async () => {
  const old = await ended({ days: 40 });
  const young = await ended({ days: 1, like: old });
  const live = await ended({ days: 50, like: old, status: 'running' });
  const kept = await ended({ days: 40 });
  const { projectId } = await findRun(store, kept);
  const big = await ended({ days: 5, bytes: 700_000 });
  const bigger = await ended({ days: 4, bytes: 700_000, like: big });
  const newest = await ended({ days: 3, bytes: 100_000, like: big });
  const rule = { maxAgeDays: 30, maxBytes: 1_000_000 };
  await saveRetention(store, { maxAgeDays: null, maxBytes: null }, projectId);
  const beyond = await amountBeyond(store, rule);
  await saveRetention(store, rule);
  const report = await applyRetention(store, never);
  expect(await left([old, young, live, kept, big, bigger, newest])).toEqual([
    false,
    true,
    true,
    true,
    false,
    true,
    true,
  ]);
  expect(report).toMatchObject(beyond);
  expect(await readRetentionReport(store)).toEqual(report);

  await saveRetention(store, undefined, projectId);
  expect(await applyRetention(store, never)).toMatchObject({ runs: 1 });
  expect(await left([kept])).toEqual([false]);
  await saveRetention(store, undefined);
});

test('retention deletes many runs in small batches, and one worker at a time', async () => {
  const first = await ended({ days: 90 });
  const { projectId } = await findRun(store, first);
  await store.pool.query(
    `INSERT INTO "Run" (id, "projectId", "treeHash", "correlationId", status, message, "createdAt", "finishedAt", "lastSeq")
     SELECT 'many-' || i, "projectId", "treeHash", 'c', 'completed', '""', "createdAt", now(), 8
     FROM "Run", generate_series(1, 450) i WHERE id = $1`,
    [first],
  );
  await saveRetention(store, { maxAgeDays: 30, maxBytes: null }, projectId);
  const both = await Promise.all([applyRetention(store, never), applyRetention(store, never)]);
  expect(both.map(({ runs }) => runs).sort((a, b) => a - b)).toEqual([0, 451]);
});
