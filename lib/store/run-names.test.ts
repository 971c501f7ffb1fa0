import { expect, test } from 'vitest';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { findRunNames } from './run-names';
import { deleteSavedFilter, listSavedFilters, saveFilter } from './saved-filters';

const { store } = await testDatabase();

test('names of ended runs are completed by any part of them, each once', async () => {
  for (const tools of ['\nsearch_web\n100%_sure\n', '\nsearch_web\nresearch\n', '\n']) {
    const id = await storedRun(store);
    await store.prisma.run.update({ where: { id }, data: { summarised: true, tools, source: 'callboard' } });
  }
  expect(await findRunNames(store, 'all', 'tool', 'SEARCH')).toEqual(['research', 'search_web']);
  expect(await findRunNames(store, 'all', 'tool', '%')).toEqual(['100%_sure']);
  expect(await findRunNames(store, 'all', 'source', '')).toEqual(['callboard']);
  expect(await findRunNames(store, 'all', 'hook', '')).toEqual([]);
});

test('people are completed by their runs, also by those that have not ended', async () => {
  for (const startedBy of ['ada@example.org', 'ada@example.org', 'ben@example.org', null]) {
    const id = await storedRun(store);
    await store.prisma.run.update({ where: { id }, data: { startedBy } });
  }
  expect(await findRunNames(store, 'all', 'by', '')).toEqual(['ada@example.org', 'ben@example.org']);
  expect(await findRunNames(store, 'all', 'by', 'BEN')).toEqual(['ben@example.org']);
  expect(await findRunNames(store, [], 'by', '')).toEqual([]);
});

test('a filter is saved under a name, replaced, and deleted', async () => {
  await saveFilter(store, 'local', { name: 'slow ones', query: 'duration.gt=1m' });
  await saveFilter(store, 'local', { name: 'failed', query: 'status=failed' });
  await saveFilter(store, 'local', { name: 'slow ones', query: 'duration.gt=2m' });
  expect(await listSavedFilters(store, 'local')).toEqual([
    { name: 'failed', query: 'status=failed' },
    { name: 'slow ones', query: 'duration.gt=2m' },
  ]);
  await deleteSavedFilter(store, 'local', 'failed');
  expect(await listSavedFilters(store, 'local')).toHaveLength(1);
});
