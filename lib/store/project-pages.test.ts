import { expect, test } from 'vitest';
import type { ProjectId } from '@/lib/base/ids';
import type { Issue } from '@/lib/base/issue';
import { folderOf } from '@/lib/cards/files';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { collectTrees } from './collect-trees';
import { findProjectNames, findProjectPage, type ProjectPlace } from './project-pages';
import { findProject, insertProject, removeProject } from './projects';
import { findTreeIssue, saveTreeSummary } from './tree-summaries';

const { store } = await testDatabase();

const insert = (name: string) => insertProject(store, name, folderOf({ 'a.md': name }));
const changedAt = (id: ProjectId, at: Date) => store.prisma.project.update({ where: { id }, data: { updatedAt: at } });
const issue: Issue = {
  code: 'too-complex',
  severity: 'error',
  stage: 'callboard',
  file: 'a.md',
  line: 1,
  column: 1,
  message: 'Too much.',
};
const summary = { agentCount: 2, errorCount: 1, sketch: { boxes: [], lines: [], width: 10, height: 5 } };

test('pages hold every project once, newest first, though many changed in the same millisecond', async () => {
  const at = new Date('2026-01-01T00:00:00.123Z');
  for (let index = 0; index < 7; index++) {
    const id = await insert(`Paged ${index}`);
    await changedAt(id, index < 5 ? at : new Date(at.getTime() + index));
  }
  const seen: string[] = [];
  const totals = new Set<number>();
  let after: ProjectPlace | undefined;
  do {
    const page = await findProjectPage(store, { scope: 'all', text: 'paged', after, limit: 3 });
    seen.push(...page.projects.map(({ name }) => name));
    totals.add(page.total);
    after = page.next;
  } while (after !== undefined);
  expect(seen).toHaveLength(7);
  expect(new Set(seen).size).toBe(7);
  expect(seen.slice(0, 2)).toEqual(['Paged 6', 'Paged 5']);
  expect([...totals]).toEqual([7]);
});

test('a page goes on where it ended, whatever was made or deleted meanwhile', async () => {
  const ids: ProjectId[] = [];
  for (let index = 0; index < 4; index++) {
    const id = await insert(`Moving ${index}`);
    await changedAt(id, new Date(2026, 1, 1 + index));
    ids.push(id);
  }
  const first = await findProjectPage(store, { scope: 'all', text: 'moving', limit: 2 });
  await insert('Moving, new');
  const [, , at] = ids;
  if (at !== undefined) await removeProject(store, at);
  const second = await findProjectPage(store, { scope: 'all', text: 'moving', after: first.next, limit: 2 });
  expect([...first.projects, ...second.projects].map(({ name }) => name)).toEqual([
    'Moving 3',
    'Moving 2',
    'Moving 1',
    'Moving 0',
  ]);
});

test('a name is looked for as it is written', async () => {
  for (const name of ['50% off', '50 off', 'a_b', 'aXb', 'back\\slash']) await insert(name);
  const found = async (text: string) =>
    (await findProjectNames(store, { scope: 'all', text, limit: 10 })).projects.map((p) => p.name);
  expect(await found('50%')).toEqual(['50% off']);
  expect(await found('A_B')).toEqual(['a_b']);
  expect(await found('\\')).toEqual(['back\\slash']);
  expect((await findProjectPage(store, { scope: 'all', text: '50%', limit: 10 })).total).toBe(1);
});

test('a project shows its newest run and what is known of its files', async () => {
  const run = await storedRun(store);
  const { projectId } = await store.prisma.run.findUniqueOrThrow({ where: { id: run } });
  await store.prisma.project.update({ where: { id: projectId }, data: { name: 'Shown' } });
  const listed = async () => (await findProjectPage(store, { scope: 'all', text: 'Shown', limit: 1 })).projects[0];
  expect(await listed()).toMatchObject({ lastRun: { id: run, status: 'queued' }, folder: undefined, isUnread: true });

  const { treeHash } = await findProject(store, (await listed())?.id as ProjectId);
  await saveTreeSummary(store, treeHash, { ok: true, value: summary });
  expect(await listed()).toMatchObject({ folder: summary, isUnread: false });

  await saveTreeSummary(store, treeHash, { ok: false, error: issue });
  expect(await listed()).toMatchObject({ folder: { issue }, isUnread: false });
  expect(await findTreeIssue(store, treeHash)).toEqual(issue);

  // Later it is tried again; the sentence stays until then.
  await store.prisma.treeSummary.update({ where: { treeHash }, data: { madeAt: new Date(Date.now() - 3_600_000) } });
  expect(await listed()).toMatchObject({ folder: { issue }, isUnread: true });
  expect(await findTreeIssue(store, treeHash)).toBeUndefined();

  // A release that says more of a folder reads it again.
  await store.prisma.treeSummary.update({ where: { treeHash }, data: { format: 0 } });
  expect(await listed()).toMatchObject({ folder: undefined, isUnread: true });
});

test('a summary goes with its tree, and one of a tree that has gone is not kept', async () => {
  const id = await insert('Gone');
  const { treeHash } = await findProject(store, id);
  await saveTreeSummary(store, treeHash, { ok: true, value: summary });
  await removeProject(store, id);
  await collectTrees(store, 0);
  expect(await store.prisma.treeSummary.count({ where: { treeHash } })).toBe(0);
  await saveTreeSummary(store, treeHash, { ok: true, value: summary });
  expect(await store.prisma.treeSummary.count({ where: { treeHash } })).toBe(0);
});
