import { expect, test } from 'vitest';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { findLastRun, findRun, findTreeOfRun } from './runs';

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
