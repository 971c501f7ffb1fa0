import { expect, test } from 'vitest';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { findRunPage } from './run-pages';
import { findLastRun, findRun, findTreeOfRun, insertRunsSql, type NewRun, runValues } from './runs';

const { store } = await testDatabase();

test("a project's last run is its newest", async () => {
  const id = await storedRun(store);
  const { projectId } = await findRun(store, id);
  expect(await findLastRun(store, projectId)).toEqual({ id, message: 'Go' });
  expect(await findLastRun(store, projectId, 3)).toEqual({ id, message: undefined });
  expect(await findLastRun(store, brandAs<ProjectId>('none'))).toBeUndefined();
});

test('of long texts as much is read as is asked for, and one unit more tells that there is more', async () => {
  const id = await storedRun(store);
  const answer = `"${'\u{0}'.repeat(50)}${'é'.repeat(100_000)}`;
  await store.prisma.run.update({ where: { id }, data: { answer: JSON.stringify(answer) } });
  expect((await findRun(store, id)).answer).toBe(answer);
  const start = (await findRun(store, id, 40)).answer ?? '';
  expect(start.length).toBeGreaterThan(40);
  expect(start.length).toBeLessThan(250);
  expect(answer.startsWith(start)).toBe(true);
  expect(await findRun(store, id, 40)).toMatchObject({ message: 'Go' });
});

test('a run that is not there is not found', async () => {
  const gone = brandAs<RunId>('gone');
  await expect(findRun(store, gone)).rejects.toMatchObject({ code: 'not_found' });
  await expect(findTreeOfRun(store, gone)).rejects.toMatchObject({ code: 'not_found' });
});

test('a run and those that were made from it name each other, until the old one is deleted', async () => {
  const id = await storedRun(store);
  const { projectId, treeHash, correlationId, message } = await findRun(store, id);
  const made = { projectId, treeHash, correlationId, message, agent: undefined, model: undefined };
  const first: NewRun = { ...made, id: brandAs('again-1'), again: { kind: 'again', run: id, files: 'draft' } };
  const second: NewRun = {
    ...made,
    id: brandAs('again-2'),
    again: { kind: 'from', run: id, files: 'recorded', at: 3 },
  };
  await store.pool.query(insertRunsSql, [...runValues([first])]);
  await store.pool.query(insertRunsSql, [...runValues([second])]);
  const kinds = (await findRun(store, id)).madeAgain.map((run) => [run.id, run.kind]);
  expect(kinds.sort()).toEqual([
    ['again-1', 'again'],
    ['again-2', 'from'],
  ]);
  expect((await findRun(store, second.id)).again).toEqual({ of: id, kind: 'from' });
  const page = await findRunPage(store, {
    scope: 'all',
    where: [{ field: 'correlation', value: correlationId }],
    limit: 5,
  });
  expect(page.groups[0]?.runs.find((run) => run.id === first.id)?.again).toEqual({ of: id, kind: 'again' });
  await store.prisma.run.delete({ where: { id } });
  expect((await findRun(store, second.id)).again).toBeUndefined();
});
