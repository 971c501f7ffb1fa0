import { expect, test } from 'vitest';
import type { ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import type { Capability } from '@/lib/cards/trust/capability';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { findProject, insertProject, saveDraft } from './projects';
import { findConfirmedLists, insertConfirmedList, needsConfirmation, readOrigin } from './trust';

const { store } = await testDatabase();

const item = (name: string): Capability => ({
  kind: 'command',
  name,
  detail: name,
  notes: [],
  file: 'fast-agent.yaml',
  line: 1,
  hash: `hash of ${name}`,
});
const listOf = (name: string) => ({ hash: `list of ${name}`, items: [item(name)] });

async function project(): Promise<ProjectId> {
  return await insertProject(store, 'Test', folderOf({ 'a.md': 'a' }));
}

async function confirm(id: ProjectId, name: string): Promise<boolean> {
  const { treeHash } = await findProject(store, id);
  return await insertConfirmedList(store, id, listOf(name), { actor: localActor, treeHash });
}

const namesOf = async (id: ProjectId) =>
  (await findConfirmedLists(store, id)).flatMap(({ items }) => items.map(({ name }) => name));

test('a project of which nothing is said was imported', async () => {
  const { origin } = await findProject(store, await project());
  expect(origin).toBe('import');
  expect(needsConfirmation(origin)).toBe(true);
  expect(readOrigin('something else')).toBe('import');
});

test('a list is kept with what it has, the newest first, and once', async () => {
  const id = await project();
  for (const name of ['one', 'two', 'one']) expect(await confirm(id, name)).toBe(true);
  expect(await namesOf(id)).toEqual(['one', 'two']);
  const [last] = await findConfirmedLists(store, id);
  expect(last).toMatchObject({
    hash: 'list of one',
    confirmedBy: 'local',
    items: [{ kind: 'command', name: 'one', hash: 'hash of one' }],
  });
});

test('a list of a folder that was saved meanwhile is not kept', async () => {
  const id = await project();
  const { treeHash } = await findProject(store, id);
  const changes = [{ path: 'a.md', file: { kind: 'text', text: 'b' } as const }];
  await saveDraft(store, id, { baseVersion: 1, changes, limits: { files: 10, totalBytes: 1_000 } });
  expect(await insertConfirmedList(store, id, listOf('old'), { actor: localActor, treeHash })).toBe(false);
  expect(await namesOf(id)).toEqual([]);
});

test('the oldest confirmations of a project are forgotten, those of others stay', async () => {
  const [id, other] = [await project(), await project()];
  await confirm(other, 'mine');
  for (let index = 0; index < 53; index += 1) await confirm(id, `list-${index}`);
  const kept = await namesOf(id);
  expect(kept).toHaveLength(50);
  expect(kept[0]).toBe('list-52');
  expect(kept).not.toContain('list-2');
  expect(await namesOf(other)).toEqual(['mine']);
});

test('a copy has the origin and the confirmations of its original', async () => {
  const id = await project();
  await confirm(id, 'one');
  const copy = await insertProject(store, 'Copy', folderOf({ 'a.md': 'a' }), { copyOf: id });
  expect((await findProject(store, copy)).origin).toBe('import');
  expect(await namesOf(copy)).toEqual(['one']);
});
