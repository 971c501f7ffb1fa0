import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { brandAs, type CorrelationId, type ProjectId } from '@/lib/base/ids';
import { ownDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { findRunGroup, mostDrawn, mostSummed } from './run-group';
import { findRunPage } from './run-pages';

const { store } = await ownDatabase();

/** Stores runs of one correlation id, a minute after each other, with figures. The last goes on. */
async function correlated(count: number) {
  const id = brandAs<CorrelationId>(randomUUID());
  const first = await storedRun(store);
  const { projectId, treeHash } = await store.prisma.run.findUniqueOrThrow({ where: { id: first } });
  const at = (index: number, seconds: number) => new Date(Date.UTC(2026, 0, 1) + index * 60_000 + seconds * 1_000);
  await store.prisma.run.createMany({
    data: Array.from({ length: count }, (_, index) => {
      const isLast = index === count - 1;
      return {
        ...{ id: randomUUID(), projectId, treeHash, correlationId: id, message: JSON.stringify(`Part ${index}`) },
        ...{ createdAt: at(index, 0), startedAt: at(index, 1), agent: 'lead' },
        ...(isLast
          ? { status: 'running' }
          : {
              ...{ status: index % 2 === 0 ? 'failed' : 'completed', finishedAt: at(index, 3), summarised: true },
              ...{ tokens: 10, costUsd: index === 1 ? null : 0.5, errors: 1 },
            }),
      };
    }),
  });
  return { id, project: brandAs<ProjectId>(projectId) };
}

test('a group has its runs, oldest first, and the sums of all that have ended', async () => {
  const { id, project } = await correlated(4);
  const group = await findRunGroup(store, 'all', id);
  expect(group.runs.map(({ message, status }) => [message, status])).toEqual([
    ['Part 0', 'failed'],
    ['Part 1', 'completed'],
    ['Part 2', 'failed'],
    ['Part 3', 'running'],
  ]);
  expect(group.runs[3]).toMatchObject({
    agent: 'lead',
    finishedAt: undefined,
    startedAt: Date.UTC(2026, 0, 1, 0, 3, 1),
  });
  const sums = { runs: 4, ended: 3, failed: 2, errors: 3, durationMs: 6_000, tokens: 30, costUsd: 1, unpriced: 1 };
  expect(group.sums).toEqual(sums);
  // The list counts the same.
  const { groups } = await findRunPage(store, { where: [], scope: 'all', limit: 9 });
  const inList = groups.find(({ correlationId }) => correlationId === id);
  const where = [{ field: 'correlation', value: id } as const];
  const [alone] = (await findRunPage(store, { where, scope: 'all', limit: 2 })).groups;
  expect([inList?.sums, alone?.sums]).toEqual([sums, sums]);
  expect((await findRunGroup(store, [project], id)).runs).toHaveLength(4);
  expect(await findRunGroup(store, [brandAs<ProjectId>('other')], id)).toMatchObject({ runs: [], sums: { runs: 0 } });
});

test('of more than 1,000 runs the newest are returned, with the sums of all', async () => {
  const { id } = await correlated(mostDrawn + 5);
  const { runs, sums, isCut } = await findRunGroup(store, 'all', id);
  expect([runs.length, runs[0]?.message, sums.runs, sums.tokens]).toEqual([1_000, 'Part 5', 1_005, 10_040]);
  expect(isCut).toBe(false);
});

test('of more than 10,000 runs the newest are summed, and it is told', async () => {
  const { id, project } = await correlated(1);
  const { treeHash } = await store.prisma.run.findFirstOrThrow({ where: { projectId: project } });
  const add = (count: number) =>
    store.pool.query(
      `INSERT INTO "Run" (id, "projectId", "treeHash", "correlationId", message, status, "createdAt", tokens)
       SELECT gen_random_uuid(), $1, $2, $3, '"Go"', 'completed', '2025-01-01'::timestamptz + make_interval(secs => n), 1
       FROM generate_series(1, $4::int) n`,
      [project, treeHash, id, count],
    );
  const found = async () => {
    const { sums, isCut } = await findRunGroup(store, 'all', id);
    return [sums.runs, sums.tokens, isCut];
  };
  await add(mostSummed - 1);
  expect(await found()).toEqual([10_000, 9_999, false]);
  await add(3);
  expect(await found()).toEqual([10_000, 9_999, true]);
});
