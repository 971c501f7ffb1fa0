import { Client } from 'pg';
import { expect, test } from 'vitest';
import type { ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { testDatabase } from '@/lib/testing/postgres';
import { type SeededRandom, seededRandom } from '@/lib/testing/seeded-random';
import { collectTrees } from './collect-trees';
import { hashBlob } from './hash';
import { findProject, insertProject, readDraft, removeProject, saveDraft } from './projects';
import { putTree } from './trees';

const { url, store } = await testDatabase();
const limits = { files: 100, totalBytes: 100_000 };

/** A folder whose tree and blobs are stored, and that nothing names. */
async function unnamed(text: string) {
  const folder = folderOf({ 'a.md': text, 'b.md': `${text}, again` });
  await removeProject(store, await insertProject(store, 'Gone', folder));
  return folder;
}

test('the collector neither waits for a save nor takes what the save names', async () => {
  const folder = await unnamed('taken up again');
  const id = await store.prisma.$transaction(async (db) => {
    const treeHash = await putTree(db, folder);
    await collectTrees(store, 0);
    await db.project.create({ data: { id: 'saved', name: 'Saved', drafts: { create: { treeHash } } } });
    return 'saved' as ProjectId;
  });
  await collectTrees(store, 0);
  expect((await readDraft(store, id)).folder).toEqual(folder);
});

test('a save that meets the collector at the same rows writes them anew', async () => {
  const folder = await unnamed('removed while it is saved');
  const collector = new Client({ connectionString: url });
  await collector.connect();
  await collector.query('BEGIN');
  const hashes = ['removed while it is saved', 'removed while it is saved, again'].map((text) =>
    hashBlob(Buffer.from(text)),
  );
  expect((await collector.query('DELETE FROM "Blob" WHERE hash = ANY($1)', [hashes])).rowCount).toBe(2);
  const saving = insertProject(store, 'Saved', folder);
  await expect.poll(waiting).toBe(1);
  await collector.query('COMMIT');
  await collector.end();
  expect((await readDraft(store, await saving)).folder).toEqual(folder);
});

async function waiting(): Promise<number> {
  const { rows } = await store.pool.query<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.waiting ?? 0;
}

test('a tree stays for a while after it was named last', async () => {
  const id = await insertProject(store, 'Changing', folderOf({ 'a.md': 'before' }));
  const { treeHash } = await findProject(store, id);
  const change = { path: 'a.md', file: { kind: 'text', text: 'after' } } as const;
  await saveDraft(store, id, { baseVersion: 1, changes: [change], limits });
  const count = () => store.prisma.tree.count({ where: { hash: treeHash } });
  await collectTrees(store);
  await collectTrees(store);
  expect(await count()).toBe(1);
  // Somebody who read the hash before the save names it, and later no more: the time begins again.
  await insertProject(store, 'Late', folderOf({ 'a.md': 'before' }));
  expect((await store.prisma.tree.findUniqueOrThrow({ where: { hash: treeHash } })).unusedSince).toBeNull();
  await store.prisma.project.deleteMany({ where: { name: 'Late' } });
  await collectTrees(store);
  await store.prisma.tree.update({
    where: { hash: treeHash },
    data: { unusedSince: new Date(Date.now() - 3_700_000) },
  });
  await collectTrees(store);
  expect(await count()).toBe(0);
});

test('of two collectors one works, and the other leaves it to it', async () => {
  await unnamed('for one of them');
  await Promise.all([collectTrees(store, 0), collectTrees(store, 0), collectTrees(store, 0)]);
  await collectTrees(store, 0);
  expect(await unnamedRows()).toEqual({ trees: 0, blobs: 0 });
});

test.each([1, 2, 3])(
  'saves, deletions and the collector at once lose nothing that is named (seed %i)',
  async (seed) => {
    let writing = true;
    const collecting = (async () => {
      let rounds = 0;
      for (; writing; rounds++) await collectTrees(store, 0);
      return rounds;
    })();
    try {
      await Promise.all([0, 1, 2, 3].map((writer) => writeForAWhile(seededRandom(seed * 10 + writer))));
    } finally {
      writing = false;
    }
    expect(await collecting).toBeGreaterThan(0);
    await collectTrees(store, 0);
    expect(await unnamedRows()).toEqual({ trees: 0, blobs: 0 });
  },
);

/** The writers share a dozen texts, so that what one removes another takes up. */
async function writeForAWhile(random: SeededRandom): Promise<void> {
  let files: Record<string, string> = { 'a.md': 'text 0' };
  let id = await insertProject(store, 'Shared', folderOf(files));
  let version = 1;
  for (let step = 0; step < 40; step++) {
    if (random.below(8) === 0) {
      await removeProject(store, id);
      id = await insertProject(store, 'Shared', folderOf(files));
      version = 1;
    } else {
      const path = random.pick(['a.md', 'b.md', 'c.md']);
      const { [path]: _, ...others } = files;
      const text = random.below(4) === 0 ? undefined : `text ${random.below(12)}`;
      files = text === undefined ? others : { ...others, [path]: text };
      const file = text === undefined ? null : ({ kind: 'text', text } as const);
      version = await saveDraft(store, id, { baseVersion: version, changes: [{ path, file }], limits });
    }
    expect((await readDraft(store, id)).folder).toEqual(folderOf(files));
  }
}

async function unnamedRows() {
  const { rows } = await store.pool.query<{ trees: number; blobs: number }>(
    `SELECT
       (SELECT count(*)::int FROM "Tree" WHERE hash NOT IN (
          SELECT "treeHash" FROM "Draft" UNION SELECT "treeHash" FROM "KeptTree" UNION SELECT "treeHash" FROM "StoredRun")) AS trees,
       (SELECT count(*)::int FROM "Blob" WHERE hash NOT IN (
          SELECT entry->>1 FROM "Tree", jsonb_array_elements(entries) entry)) AS blobs`,
  );
  return rows[0];
}
