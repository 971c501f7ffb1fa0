import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { brandAs, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { testDatabase } from '@/lib/testing/postgres';
import { insertPin, listPins } from './pins';
import { insertProject } from './projects';

const { store } = await testDatabase();
const limit = 200;

test('a project has 200 pins, and the result of a call that is pinned can still be replaced', async () => {
  const projectId = await insertProject(store, 'Pins', folderOf({ 'a.md': 'a' }));
  const pinned = (x: number, text: string) =>
    insertPin(store, {
      id: randomUUID(),
      projectId,
      agentName: 'kid',
      tool: 'twice',
      arguments: { x },
      result: { content: [{ type: 'text', text }], isError: false },
      runId: brandAs<RunId>('r'),
      seq: 1,
    });
  for (let x = 0; x < limit; x += 1) await pinned(x, 'first');
  await expect(pinned(limit, 'one more')).rejects.toMatchObject({ code: 'conflict' });
  await pinned(7, 'second');
  const pins = await listPins(store, projectId);
  expect(pins).toHaveLength(limit);
  expect(pins.filter(({ arguments: args }) => JSON.stringify(args) === '{"x":7}')).toMatchObject([
    { result: { content: [{ text: 'second' }] } },
  ]);
});
