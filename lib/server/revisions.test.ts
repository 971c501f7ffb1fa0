import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import type { Role } from '@/lib/base/rights';
import { folderOf } from '@/lib/cards/files';
import { findAudit } from '@/lib/store/audit';
import { collectTrees } from '@/lib/store/collect-trees';
import { keepServerNews } from '@/lib/store/known-servers';
import { findProject, insertProject, readDraft, removeProject, saveDraft } from '@/lib/store/projects';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { tries } from '@/lib/testing/tries';
import { createDraft, deleteDraft, listDrafts, renameDraft, restoreRevision } from './drafts';
import {
  checkRelease,
  getRevision,
  listReleases,
  listRevisions,
  readRevisionFolder,
  release,
  rollBack,
  saveRevision,
} from './revisions';

const { url, store } = await testDatabase();

beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
});
afterAll(() => vi.unstubAllEnvs());

const lead = (text: string) => `---\nname: lead\nmodel: passthrough\n---\n${text}\n`;
const folder = (text: string) => folderOf({ 'lead.md': lead(text) });
const limits = { files: 100, totalBytes: 1_000_000 };
const project = async (text = 'one') => await insertProject(store, 'Own', folder(text), { origin: 'blank' });

async function write(id: ProjectId, text: string, draft = 'main') {
  const { version } = await findProject(store, id, draft);
  const changes = [{ path: 'lead.md', file: { kind: 'text', text: lead(text) } as const }];
  return await saveDraft(store, id, { draft, baseVersion: version, changes, limits });
}
const textOf = async (id: ProjectId, draft = 'main') => (await readDraft(store, id, draft)).folder;
const publish = async (id: ProjectId, note = 'Go', more: Partial<Parameters<typeof release>[2]> = {}) =>
  await release(localActor, id, { label: 'live', target: { draft: 'main' }, note, ...more });
const liveOf = async (id: ProjectId) =>
  (await listRevisions(localActor, id, { limit: 50 })).labels.find(({ label }) => label === 'live')?.revision;

function person(name: string, own: ProjectId, role: Role): Actor {
  const members = new Map([[own, { role, answers: false }] as const]);
  return {
    by: `${name}@example.org`,
    via: 'web',
    reach: { kind: 'person', userId: name, name, isAdministrator: false, members },
  };
}

test('the draft changes while live stays', async () => {
  const id = await project();
  await publish(id);
  await write(id, 'two');
  expect(await readRevisionFolder(localActor, id, 1)).toEqual(folder('one'));
  expect(await textOf(id)).toEqual(folder('two'));
  expect(await listDrafts(localActor, id)).toMatchObject([{ name: 'main', base: 1, equals: undefined }]);
});

test('a revision has number, author, whole second, note and parent, and equal files make no second one', async () => {
  const id = await project();
  const first = await saveRevision(localActor, id, { draft: 'main', message: ' First ' });
  expect(first).toMatchObject({
    isNew: true,
    revision: { number: 1, author: 'local', authorName: 'local', message: 'First', parent: undefined, draft: 'main' },
  });
  expect(first.revision.createdAt.getMilliseconds()).toBe(0);
  expect(await saveRevision(localActor, id, { draft: 'main', message: 'Again' })).toMatchObject({
    isNew: false,
    revision: { number: 1, message: 'First' },
  });
  await write(id, 'two');
  const ana = person('ana', id, 'editor');
  expect(await saveRevision(ana, id, { draft: 'main', message: '' })).toMatchObject({
    revision: { number: 2, author: 'ana@example.org', authorName: 'ana', parent: 1 },
  });
  expect((await getRevision(localActor, id, 1)).closure).toMatchObject([['card', 'lead.md', expect.any(String)]]);
});

test('a revision cannot be changed or removed, and goes with its project', async () => {
  const id = await project();
  await publish(id);
  const where = { projectId_number: { projectId: id, number: 1 } };
  await expect(store.prisma.revision.update({ where, data: { message: 'Other' } })).rejects.toThrow();
  await expect(store.prisma.release.deleteMany({ where: { projectId: id } })).rejects.toThrow();
  await removeProject(store, id);
  expect(await store.prisma.revision.count({ where: { projectId: id } })).toBe(0);
});

test('a restore keeps what the draft had as a revision', async () => {
  const id = await project();
  await saveRevision(localActor, id, { draft: 'main', message: 'First' });
  await write(id, 'two');
  expect(await restoreRevision(localActor, id, 1, 'main')).toMatchObject({
    saved: { number: 2, message: "Draft 'main', saved before revision 1 was restored" },
    version: 3,
  });
  expect(await textOf(id)).toEqual(folder('one'));
  expect(await readRevisionFolder(localActor, id, 2)).toEqual(folder('two'));
  // Nothing would be lost now, so nothing is saved, and a second click changes nothing.
  expect(await restoreRevision(localActor, id, 1, 'main')).toEqual({ saved: undefined, version: 3 });
  expect(await restoreRevision(localActor, id, 2, 'main')).toEqual({ saved: undefined, version: 4 });
  await expect(restoreRevision(localActor, id, 9, 'main')).rejects.toMatchObject({ code: 'not_found' });
});

test('the collector keeps the files of revisions and of all drafts', async () => {
  const id = await project();
  await saveRevision(localActor, id, { draft: 'main', message: '' });
  await createDraft(localActor, id, 'try', { draft: 'main' });
  await write(id, 'in a draft', 'try');
  await write(id, 'two');
  await collectTrees(store, 0);
  await collectTrees(store, 0);
  expect(await readRevisionFolder(localActor, id, 1)).toEqual(folder('one'));
  expect(await textOf(id, 'try')).toEqual(folder('in a draft'));
});

test('publish and roll back: the history says what was live when, and who moved it', async () => {
  const id = await project();
  await publish(id, 'One');
  await write(id, 'two');
  await publish(id, 'Two');
  await write(id, 'three');
  await publish(id, 'Three');
  const rev = person('rev', id, 'reviewer');
  expect(await rollBack(rev, id, { label: 'live', expected: 3, note: 'Broken' })).toMatchObject({
    revision: { number: 2 },
    before: 3,
  });
  // A second roll back goes one more step back, not forward again.
  expect(await rollBack(rev, id, { label: 'live', note: '' })).toMatchObject({ revision: { number: 1 } });
  await expect(rollBack(rev, id, { label: 'live', note: '' })).rejects.toMatchObject({ code: 'conflict' });
  expect(await listReleases(localActor, id, { limit: 9 })).toMatchObject([
    { number: 5, kind: 'rollback', revision: 1, by: 'rev@example.org' },
    { number: 4, kind: 'rollback', revision: 2, by: 'rev@example.org', reason: 'Broken' },
    { number: 3, kind: 'publish', revision: 3, by: 'local', reason: 'Three' },
    { number: 2, kind: 'publish', revision: 2 },
    { number: 1, kind: 'publish', revision: 1 },
  ]);
  expect(await rollBack(rev, id, { label: 'live', to: 3, note: '' })).toMatchObject({ revision: { number: 3 } });
  const entries = await findAudit(store, { project: id, limit: 3 }, undefined);
  expect(entries.map(({ action }) => action)).toEqual(Array.from({ length: 3 }, () => 'revision.rolled_back'));
});

test('a second click on Publish changes nothing', async () => {
  const id = await project();
  const both = await Promise.all([publish(id, 'Go', { expected: null }), publish(id, 'Go', { expected: null })]);
  expect(both.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
  await write(id, 'two');
  await publish(id);
  const back = { label: 'live', expected: 2, note: '' };
  const clicks = await Promise.allSettled([rollBack(localActor, id, back), rollBack(localActor, id, back)]);
  expect(clicks.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await liveOf(id)).toBe(1);
});

test('a person who opened the page before somebody else published gets a warning', async () => {
  const id = await project();
  await createDraft(localActor, id, 'try', { draft: 'main' });
  await write(id, 'other', 'try');
  await publish(id);
  const late = publish(id, 'Go', { target: { draft: 'try' }, expected: null });
  await expect(late).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining("Revision 1 is 'live' now"),
  });
  const { version } = await findProject(store, id);
  await write(id, 'two');
  const old = publish(id, 'Go', { target: { draft: 'main', version } });
  await expect(old).rejects.toMatchObject({ code: 'conflict' });
});

test('a draft that is gone cannot be published', async () => {
  const id = await project();
  await expect(publish(id, '', { target: { draft: 'gone' } })).rejects.toMatchObject({ code: 'not_found' });
});

test('errors stop a release; an admin overrides them with a reason, and the audit log has it', async () => {
  const id = await insertProject(
    store,
    'Own',
    folderOf({ 'lead.md': lead('a').replace('passthrough', 'passthrough\nagents: [nobody]') }),
    { origin: 'blank' },
  );
  expect((await checkRelease(localActor, id, 'live', { draft: 'main' })).checks).toMatchObject([
    { id: 'problems', ok: false },
    { id: 'policy', ok: true },
  ]);
  const rev = person('rev', id, 'reviewer');
  const ask = { label: 'live', target: { draft: 'main' }, note: 'Go' } as const;
  await expect(release(rev, id, ask)).rejects.toMatchObject({ code: 'conflict', details: { checks: 'problems' } });
  await expect(release(rev, id, { ...ask, override: 'I say so' })).rejects.toMatchObject({ code: 'conflict' });
  expect(await listRevisions(localActor, id, { limit: 9 })).toEqual({ revisions: [], labels: [] });
  const admin = person('ada', id, 'admin');
  await expect(release(admin, id, { ...ask, override: ' ' })).rejects.toMatchObject({ code: 'bad_request' });
  await release(admin, id, { ...ask, override: 'The demo is now' });
  const [published, overridden] = await findAudit(store, { project: id, limit: 2 }, undefined);
  expect([published?.action, overridden?.action]).toEqual(['revision.published', 'gate.overridden']);
  expect(JSON.parse(overridden?.body ?? '')).toMatchObject({
    checks: 'problems',
    reason: 'The demo is now',
    revision: 1,
  });
  expect(await listReleases(localActor, id, { limit: 1 })).toMatchObject([{ overrode: ['problems'] }]);
});

test('an editor saves revisions and may not publish; a viewer does neither', async () => {
  const id = await project();
  const [ed, vic] = [person('ed', id, 'editor'), person('vic', id, 'viewer')];
  await saveRevision(ed, id, { draft: 'main', message: '' });
  await expect(release(ed, id, { label: 'live', target: { revision: 1 }, note: '' })).rejects.toMatchObject({
    code: 'not_allowed',
    message: expect.stringContaining(
      'You may not publish, promote or roll back revisions of this project. It needs the role reviewer',
    ),
  });
  await expect(saveRevision(vic, id, { draft: 'main', message: '' })).rejects.toMatchObject({ code: 'not_allowed' });
  expect((await listRevisions(vic, id, { limit: 9 })).revisions).toHaveLength(1);
});

test('labels other than live move separately', async () => {
  const id = await project();
  await publish(id);
  await write(id, 'two');
  await release(localActor, id, { label: 'staging', target: { draft: 'main' }, note: 'Try' });
  const { revisions, labels } = await listRevisions(localActor, id, { limit: 9 });
  expect(revisions.map(({ number, labels: own }) => [number, own])).toEqual([
    [2, ['staging']],
    [1, ['live']],
  ]);
  expect(labels).toMatchObject([
    { label: 'live', kind: 'publish' },
    { label: 'staging', kind: 'promote' },
  ]);
  await release(localActor, id, { label: 'live', target: { revision: 2 }, note: '' });
  expect(await liveOf(id)).toBe(2);
  for (const label of ['7', 'a b', '', '../x', 'x.lock', 'a..b']) {
    await expect(release(localActor, id, { label, target: { revision: 1 }, note: '' })).rejects.toMatchObject({
      code: 'bad_request',
    });
  }
  await expect(rollBack(localActor, id, { label: 'staging', to: 1, note: '' })).rejects.toMatchObject({
    code: 'bad_request',
  });
});

test('drafts are made, renamed and deleted, and nothing is lost', async () => {
  const id = await project();
  await createDraft(localActor, id, 'try', { draft: 'main' });
  await expect(createDraft(localActor, id, 'try', { draft: 'main' })).rejects.toMatchObject({ code: 'conflict' });
  // The first one is what both drafts began with.
  expect(await listDrafts(localActor, id)).toMatchObject([{ base: 1 }, { base: 1 }]);
  await write(id, 'tried', 'try');
  expect(await textOf(id)).toEqual(folder('one'));
  await renameDraft(localActor, id, 'try', 'better');
  expect(await deleteDraft(localActor, id, 'better')).toMatchObject({ number: 2, draft: 'better' });
  expect(await readRevisionFolder(localActor, id, 2)).toEqual(folder('tried'));
  await createDraft(localActor, id, 'better', { revision: 2 });
  expect(await listDrafts(localActor, id)).toMatchObject([{ name: 'main' }, { name: 'better', base: 2, equals: 2 }]);
  expect(await deleteDraft(localActor, id, 'better')).toBeUndefined();
  await expect(deleteDraft(localActor, id, 'better')).rejects.toMatchObject({ code: 'not_found' });
  await expect(deleteDraft(localActor, id, 'main')).rejects.toMatchObject({ code: 'bad_request' });
  const entries = await findAudit(store, { actions: ['draft.deleted'], project: id, limit: 10 }, undefined);
  const entry = { actor: 'local', object: 'better', body: JSON.stringify({ draft: 'better', revision: 2 }) };
  expect(entries).toMatchObject([entry, entry]);
  await expect(renameDraft(localActor, id, 'main', 'x')).rejects.toMatchObject({ code: 'bad_request' });
});

test('a new list of tools makes a new revision of the same files', async () => {
  const files = {
    'lead.md': lead('a').replace('passthrough', 'passthrough\nservers: [time]'),
    'fast-agent.yaml': 'mcp:\n  servers:\n    time: { command: node }\n',
  };
  const id = await insertProject(store, 'Own', folderOf(files), { origin: 'blank' });
  await saveRevision(localActor, id, { draft: 'main', message: '' });
  const listing = { tools: [], resources: [], prompts: [], probedAt: 1 };
  const prints = { tools: { now: 'a' }, resources: {}, prompts: {} };
  await keepServerNews(store, id, [{ news: 'listed', server: 'time', listing, prints } as never]);
  const { revision, isNew } = await saveRevision(localActor, id, { draft: 'main', message: '' });
  expect({ isNew, number: revision.number }).toEqual({ isNew: true, number: 2 });
});

test('after acts at the same time, numbers have no gaps and live is what the last release says', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('write' as const), text: fc.string({ minLength: 1, maxLength: 3 }) }),
    fc.constant({ do: 'save' as const }),
    fc.constant({ do: 'publish' as const }),
    fc.constant({ do: 'back' as const }),
    fc.constant({ do: 'restore' as const }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const id = await project();
      await Promise.allSettled(
        steps.map(async (one) => {
          if (one.do === 'write') await write(id, one.text.replace(/[^a-z]/g, 'x'));
          else if (one.do === 'save') await saveRevision(localActor, id, { draft: 'main', message: '' });
          else if (one.do === 'publish') await publish(id);
          else if (one.do === 'back') await rollBack(localActor, id, { label: 'live', note: '' });
          else await restoreRevision(localActor, id, 1, 'main');
        }),
      );
      const { revisions } = await listRevisions(localActor, id, { limit: 99 });
      expect(revisions.map(({ number }) => number)).toEqual(revisions.map((_, index) => revisions.length - index));
      const releases = await listReleases(localActor, id, { limit: 99 });
      expect(releases.map(({ number }) => number)).toEqual(releases.map((_, index) => releases.length - index));
      const row = await store.prisma.project.findUniqueOrThrow({ where: { id }, include: { live: true } });
      expect(row.live?.number).toBe(releases[0]?.revision);
    }),
    { numRuns: tries(20) },
  );
});
