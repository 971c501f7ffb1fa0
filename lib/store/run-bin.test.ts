import { expect, test } from 'vitest';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import { testDatabase } from '@/lib/testing/postgres';
import { conditionsOf } from '@/lib/testing/run-conditions';
import { storedItem } from '@/lib/testing/stored-item';
import { storedRun } from '@/lib/testing/stored-run';
import { collectTrees } from './collect-trees';
import { amountOf } from './delete-runs';
import { projectOf } from './owners';
import { countItems, findItems, readItems } from './pending-items';
import { amountBeyond } from './retention';
import { binSomeRuns, deleteSomeBinned, emptyBin, isAnyBinned, readBin, restoreSomeRuns } from './run-bin';
import { findRunPage } from './run-pages';
import { findRun } from './runs';

const { store } = await testDatabase();
const never = new AbortController().signal;
const ann = 'ann@example.org';

async function ended(status = 'completed') {
  const id = await storedRun(store, undefined, 'Write to Max');
  const { projectId } = await store.prisma.run.update({
    where: { id },
    data: { status, lastSeq: 1, bytes: 1_000, correlationId: id },
  });
  await store.prisma.event.create({ data: { runId: id, seq: 1, at: 0, kind: 'log', body: '{}' } });
  return { id, projectId: brandAs<ProjectId>(projectId) };
}

const bin = (ids: readonly RunId[], id: string) => binSomeRuns(store, { scope: 'all', ids }, { id, by: ann });
const eventsOf = (id: RunId) => store.prisma.event.count({ where: { runId: id } });
const afterHours = (hours: number) =>
  store.pool.query(`UPDATE "RunDeletion" SET at = at - make_interval(hours => $1)`, [hours]);
const columnsOf = async (table: string) => {
  const { rows } = await store.pool.query<{ name: string }>(
    'SELECT column_name::text AS name FROM information_schema.columns WHERE table_name = $1 ORDER BY name',
    [table],
  );
  return rows.map(({ name }) => name);
};

test('runs have all columns of their table, but for what says that a run is in the bin', async () => {
  expect(await columnsOf('Run')).toEqual((await columnsOf('StoredRun')).filter((name) => name !== 'deletionId'));
});

test('a run in the bin is in no list, and comes back as it was', async () => {
  const { id, projectId } = await ended();
  const before = await store.prisma.run.findUniqueOrThrow({ where: { id } });
  const listed = async () => {
    const page = await findRunPage(store, {
      where: conditionsOf(`text=Max&project=${projectId}`),
      scope: 'all',
      limit: 5,
    });
    return page.groups.flatMap(({ runs }) => runs.map((run) => run.id));
  };
  expect(await listed()).toEqual([id]);
  expect(await bin([id], 'first')).toEqual([{ id, projectId, bytes: 1_000 }]);
  expect(await bin([id], 'again')).toEqual([]);
  await expect(findRun(store, id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await listed()).toEqual([]);
  expect(await amountOf(store, { scope: 'all', ids: [id] })).toMatchObject({ runs: 0 });
  expect(await amountBeyond(store, { maxAgeDays: null, maxBytes: 0 }, projectId)).toEqual({ runs: 0, bytes: 0 });
  expect(await eventsOf(id)).toBe(1);
  expect(await restoreSomeRuns(store, { deletions: ['first'], scope: 'all' })).toEqual([
    { id, projectId, bytes: 1_000 },
  ]);
  expect(await store.prisma.run.findUniqueOrThrow({ where: { id } })).toEqual(before);
  expect(await listed()).toEqual([id]);
  expect((await readBin(store, [projectId])).deletions).toEqual([]);
});

test('the bin says who deleted which runs, and until when they can come back', async () => {
  const [one, two, live] = [await ended(), await ended(), await ended('running')];
  await bin([one.id, two.id, live.id], 'both');
  expect(await isAnyBinned(store, [live.id])).toBe(false);
  expect(await isAnyBinned(store, [live.id, one.id])).toBe(true);
  const seen = await readBin(store, [one.projectId]);
  const [both] = seen.deletions;
  expect(seen).toEqual({
    runs: 1,
    deletions: [
      {
        id: 'both',
        by: ann,
        at: expect.any(Date),
        until: new Date((both?.at.getTime() ?? 0) + 86_400_000),
        runs: 1,
        bytes: 1_000,
        some: [expect.objectContaining({ id: one.id, projectId: one.projectId, message: 'Write to Max' })],
      },
    ],
  });
  expect(await readBin(store, 'all')).toMatchObject({ runs: 2, deletions: [{ id: 'both', runs: 2 }] });
  // Only of projects in which the person may.
  expect(await restoreSomeRuns(store, { deletions: ['both'], scope: [one.projectId] })).toMatchObject([{ id: one.id }]);
  expect(await restoreSomeRuns(store, { runs: [two.id], scope: [one.projectId] })).toEqual([]);
  expect(await restoreSomeRuns(store, { runs: [two.id], scope: 'all' })).toMatchObject([{ id: two.id }]);
});

test('questions of a run in the bin are in no list and have no page, and come back with it', async () => {
  const { id, projectId } = await ended();
  const item = await storedItem(store, id);
  const filter = { project: projectId, scope: 'all' as const };
  const seen = async () => [
    (await findItems(store, filter, { after: undefined, limit: 5 })).length,
    await countItems(store, filter),
    (await readItems(store, [item], 'all')).length,
    await projectOf(store, 'PendingItem', item),
  ];
  expect(await seen()).toEqual([1, 1, 1, projectId]);
  await bin([id], 'asked');
  expect(await seen()).toEqual([0, 0, 0, undefined]);
  await restoreSomeRuns(store, { runs: [id], scope: 'all' });
  expect(await seen()).toEqual([1, 1, 1, projectId]);
});

test('files of a run in the bin are kept, and go after the run has gone', async () => {
  const { id } = await ended();
  const { hash: treeHash } = await store.prisma.tree.create({ data: { hash: 'of a run in the bin', entries: [] } });
  await store.prisma.run.update({ where: { id }, data: { treeHash } });
  await bin([id], 'kept files');
  await collectTrees(store, 0);
  await collectTrees(store, 0);
  expect(await store.prisma.tree.count({ where: { hash: treeHash } })).toBe(1);
  expect(await deleteSomeBinned(store, { runs: [id], scope: 'all' })).toMatchObject([{ id }]);
  await collectTrees(store, 0);
  await collectTrees(store, 0);
  expect(await store.prisma.tree.count({ where: { hash: treeHash } })).toBe(0);
});

test('a run goes for good after a day, and at once when somebody says so', async () => {
  const [old, late, now] = [await ended(), await ended(), await ended()];
  await bin([old.id], 'old');
  await afterHours(23);
  await bin([late.id], 'late');
  expect(await emptyBin(store, never)).toBe(0);
  await afterHours(1);
  // Nobody brings it back in the minutes before a worker deletes it.
  expect(await restoreSomeRuns(store, { runs: [old.id], scope: 'all' })).toEqual([]);
  expect((await readBin(store, 'all')).deletions.map(({ id }) => id)).toEqual(['late']);
  expect(await emptyBin(store, never)).toBe(1);
  expect(await eventsOf(old.id)).toBe(0);
  expect(await eventsOf(late.id)).toBe(1);
  expect(await store.prisma.runDeletion.findUnique({ where: { id: 'old' } })).toBeNull();
  await bin([now.id], 'now');
  expect(await deleteSomeBinned(store, { deletions: ['now'], scope: [] })).toEqual([]);
  expect(await deleteSomeBinned(store, { deletions: ['now'], scope: 'all' })).toMatchObject([{ id: now.id }]);
  expect(await eventsOf(now.id)).toBe(0);
});

test('a project goes with its runs in the bin', async () => {
  const { id, projectId } = await ended();
  await bin([id], 'of a project');
  await store.prisma.project.delete({ where: { id: projectId } });
  expect(await eventsOf(id)).toBe(0);
  expect(await isAnyBinned(store, [id])).toBe(false);
});
