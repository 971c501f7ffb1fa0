import { beforeAll, expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { insertProject } from '@/lib/store/projects';
import { type KeptDatabase, keepDatabase } from './kept-database';
import { testDatabase } from './postgres';

const { store } = await testDatabase();
const names = async () => (await store.prisma.project.findMany({ orderBy: { name: 'asc' } })).map(({ name }) => name);

let kept: KeptDatabase;
beforeAll(async () => {
  for (const name of ['A', 'B']) await insertProject(store, name, folderOf({ 'a.md': name }));
  kept = await keepDatabase(store);
});

test('rows that were deleted with what hangs on them, changed or added are as they were', async () => {
  const now = async () => [await kept.isWritten(), await names(), await store.prisma.draft.count()];
  const before = [false, ['A', 'B'], 2];
  expect(await now()).toEqual(before);
  for (const name of ['first', 'second']) {
    await store.prisma.project.deleteMany({ where: { name: 'A' } });
    await store.prisma.project.updateMany({ data: { name } });
    await insertProject(store, 'C', folderOf({ 'a.md': 'C' }));
    expect(await now()).toEqual([true, ['C', name], 2]);
    await kept.restore();
    expect(await now()).toEqual(before);
  }
});

test('what is rolled back was not written', async () => {
  const undone = store.prisma.$transaction(async (transaction) => {
    await transaction.project.deleteMany();
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await kept.isWritten()).toBe(false);
});
