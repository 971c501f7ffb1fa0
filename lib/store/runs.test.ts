import { expect, test } from 'vitest';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { findLastRun, findRun } from './runs';

const { store } = await testDatabase();

test("a project's last run is its newest", async () => {
  const id = await storedRun(store);
  const { projectId } = await findRun(store, id);
  expect(await findLastRun(store, projectId)).toEqual({ id, message: 'Go' });
  expect(await findLastRun(store, projectId, 3)).toEqual({ id, message: undefined });
  expect(await findLastRun(store, brandAs<ProjectId>('none'))).toBeUndefined();
});
