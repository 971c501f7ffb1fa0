import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { tooComplex } from '@/lib/cards/project/too-complex';
import type { Store } from '@/lib/store/database';
import { findProjectPage } from '@/lib/store/project-pages';
import { insertProject, removeProject } from '@/lib/store/projects';
import { testDatabase } from '@/lib/testing/postgres';
import { SummaryKeeper } from './summaries';

const { store } = await testDatabase();
const sketch = { boxes: [], lines: [], width: 1, height: 1 };

function open(read: (folder: Folder) => 'read' | 'slow' | 'busy' = () => 'read') {
  const asked: string[] = [];
  const waiting = new Set<() => void>();
  const keeper = new SummaryKeeper(
    async <T>(work: (from: Store) => Promise<T>) => work(store),
    () => ({
      async summarise(folder) {
        asked.push([...folder.keys()].join());
        const outcome = read(folder);
        if (outcome === 'busy') throw new Error('too much waits');
        if (outcome === 'slow') return { ok: false, error: tooComplex(folder, undefined, { is: 'time', seconds: 5 }) };
        return { ok: true, value: { agentCount: folder.size, errorCount: 0, sketch } };
      },
    }),
    (work) => {
      waiting.add(work);
      return { cancel: () => waiting.delete(work) };
    },
  );
  return { keeper, asked, waiting };
}

const listed = async (text: string) =>
  (await findProjectPage(store, { scope: 'all', text, limit: 10 })).projects.map((project) => project.folder);

test('what a list shows is worked out once for each tree', async () => {
  const { keeper, asked } = open();
  const folder = folderOf({ 'a.md': 'once' });
  const ids = [await insertProject(store, 'Once 1', folder), await insertProject(store, 'Once 2', folder)];
  expect(await listed('Once')).toEqual([undefined, undefined]);
  for (const id of [...ids, ...ids]) keeper.want(id);
  await keeper.settled();
  expect(asked).toEqual(['a.md']);
  expect(await listed('Once')).toEqual([
    { agentCount: 1, errorCount: 0, sketch },
    { agentCount: 1, errorCount: 0, sketch },
  ]);
});

test('a folder that could not be read shows why, and is not read again at once', async () => {
  const { keeper, asked } = open(() => 'slow');
  const id = await insertProject(store, 'Slow', folderOf({ 'slow.md': 'slow' }));
  for (let time = 0; time < 2; time++) {
    keeper.want(id);
    await keeper.settled();
  }
  expect(asked).toHaveLength(1);
  expect(await listed('Slow')).toMatchObject([{ issue: { code: 'too-complex', file: 'slow.md' } }]);
});

test('one project that fails, or has gone, keeps no other from its summary', async () => {
  const { keeper } = open((folder) => (folder.has('busy.md') ? 'busy' : 'read'));
  const busy = await insertProject(store, 'Mixed busy', folderOf({ 'busy.md': 'busy' }));
  const gone = await insertProject(store, 'Mixed gone', folderOf({ 'gone.md': 'gone' }));
  const fine = await insertProject(store, 'Mixed fine', folderOf({ 'fine.md': 'fine' }));
  await removeProject(store, gone);
  for (const id of [busy, gone, fine]) keeper.want(id);
  await keeper.settled();
  expect(await listed('Mixed')).toEqual([{ agentCount: 1, errorCount: 0, sketch }, undefined]);
});

test('a project that is saved again and again is read once, when the saves pause', async () => {
  const { keeper, asked, waiting } = open();
  const id = await insertProject(store, 'Typed', folderOf({ 'typed.md': 'typed' }));
  for (let save = 0; save < 5; save++) keeper.wantWhenQuiet(id);
  await keeper.settled();
  expect(asked).toEqual([]);
  expect(waiting.size).toBe(1);
  for (const work of waiting) work();
  await keeper.settled();
  expect(asked).toEqual(['typed.md']);
});

test('a list that shows a saved project does not wait for the pause', async () => {
  const { keeper, asked, waiting } = open();
  const id = await insertProject(store, 'Shown', folderOf({ 'shown.md': 'shown' }));
  keeper.wantWhenQuiet(id);
  keeper.want(id);
  await keeper.settled();
  expect(asked).toEqual(['shown.md']);
  expect(waiting.size).toBe(0);
});
