import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';

import { brandAs, type ProjectId, type RunId, type TaskId } from '@/lib/base/ids';
import { mostTokens } from '@/lib/base/token-request';
import { folderOf } from '@/lib/cards/files';
import { insertPin } from '@/lib/store/pins';
import { insertProject } from '@/lib/store/projects';
import { insertPlainTask } from '@/lib/store/tasks';
import { transaction } from '@/lib/store/transaction';
import { testDatabase } from '@/lib/testing/postgres';
import { personInBrowser } from '@/lib/testing/token-people';
import { personOf, storeToken } from './accounts/tokens';

/* What is counted before it is stored stays within its number, also when many requests come at the same moment. */

const { store } = await testDatabase();
const together = Array.from({ length: 8 }, (_, index) => index);

const project = (): Promise<ProjectId> => insertProject(store, 'Full', folderOf({ 'a.md': 'a' }));

/** Asks eight times at once and returns the codes of those that were refused. */
async function refusals(ask: (index: number) => Promise<unknown>): Promise<readonly unknown[]> {
  const asked = await Promise.allSettled(together.map(ask));
  return asked.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
}

test('pins of a project', async () => {
  const projectId = await project();
  const pin = (x: number) =>
    insertPin(store, {
      id: randomUUID(),
      projectId,
      agentName: 'kid',
      tool: 'twice',
      arguments: { x },
      result: { content: [], isError: false },
      runId: brandAs<RunId>('r'),
      seq: 1,
    });
  for (let x = 0; x < 198; x += 1) await pin(x);
  expect(await refusals((index) => pin(1_000 + index))).toEqual(Array.from({ length: 6 }, () => 'conflict'));
  expect(await store.prisma.pin.count({ where: { projectId } })).toBe(200);
});

test.each(['a project', 'the installation'])('tasks of %s', async (place) => {
  const projectId = place === 'a project' ? await project() : null;
  const task = () =>
    insertPlainTask(store, { id: brandAs<TaskId>(randomUUID()), projectId, request: { kind: 'key', name: 'X' } });
  for (let each = 0; each < 18; each += 1) await task();
  expect(await refusals(task)).toEqual(Array.from({ length: 6 }, () => 'unavailable'));
  expect(await store.prisma.task.count({ where: { projectId } })).toBe(20);
});

test('tokens of a person', async () => {
  const ann = await personInBrowser(store, 'ann@example.org');
  const maker = { by: ann.by, via: ann.via, userId: personOf(ann).userId };
  const request = { name: 'a script', scopes: ['read'] as const, project: null, days: 90 };
  const token = () => transaction(store, (connection) => storeToken(connection, maker, request));
  for (let each = 0; each < mostTokens - 2; each += 1) await token();
  expect(await refusals(token)).toEqual(Array.from({ length: 6 }, () => 'conflict'));
});
