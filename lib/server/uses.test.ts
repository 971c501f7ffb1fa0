import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import { brandAs, type CorrelationId, type ProjectId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { findProject, insertProject } from '@/lib/store/projects';
import { insertRunsSql, runValues } from '@/lib/store/runs';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { createDraft } from './drafts';
import { saveFiles } from './projects';
import { release } from './revisions';
import { findUses } from './uses';

const { url, store } = await testDatabase();
beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
});
afterAll(() => vi.unstubAllEnvs());

const files = {
  'lead.md':
    '---\nname: lead\nmodel: passthrough\ntool_hooks: [hooks.ts:audit]\nfunction_tools: [tools.ts:count]\n---\nLead.\n',
  'hooks.ts': 'export function audit(ctx, args, next) {\n  return next(args);\n}\n',
  'tools.ts': 'export function count() {\n  return 1;\n}\n',
};
const project = async (name: string, more: Readonly<Record<string, string>> = {}) =>
  await insertProject(store, name, folderOf({ ...files, ...more }), { origin: 'blank' });
const hook = { kind: 'hook', name: 'hooks.ts:audit', draft: 'main' } as const;

async function change(id: ProjectId, path: string, text: string, draft = 'main') {
  const { version } = await findProject(store, id, draft);
  await saveFiles(localActor, id, { draft, baseVersion: version, changes: [{ path, text }] });
}

test('a hook is found in drafts, in what is live, and in the projects that have the same code', async () => {
  const own = await project('Own');
  const copy = await project('Copy', { 'other.md': '---\nname: other\nmodel: passthrough\n---\nO.\n' });
  const changed = await project('Changed', { 'hooks.ts': `${files['hooks.ts']}// Another one.\n` });
  await release(localActor, own, { label: 'live', target: { draft: 'main' }, note: 'Go', override: undefined });
  await createDraft(localActor, own, 'try', { draft: 'main' });
  await change(own, 'hooks.ts', `${files['hooks.ts']}// Tried.\n`, 'try');
  const { uses, unread } = await findUses(localActor, own, hook);
  expect(unread).toBe(0);
  expect(
    uses.map(({ projectName, isOwn, places, agents, isSame }) => [projectName, isOwn, places, agents, isSame]),
  ).toEqual([
    ['Own', true, ['live (revision 1)', 'main draft'], ['lead'], true],
    ['Own', true, ['draft try'], ['lead'], false],
    ['Copy', false, ['main draft'], ['lead'], true],
  ]);
  // From the other side: code that nobody shares.
  expect((await findUses(localActor, changed, hook)).uses.map(({ projectName }) => projectName)).toEqual(['Changed']);
  expect((await findUses(localActor, copy, hook)).uses.map(({ projectName }) => projectName)).toEqual(['Copy', 'Own']);
  expect((await findUses(localActor, own, { ...hook, name: 'hooks.ts:none' })).uses).toEqual([]);
});

test('people see uses in projects that they may read, and none of other projects', async () => {
  const [own, copy] = [await project('Mine'), await project('Hidden')];
  const members = new Map([[own, { role: 'viewer', answers: false } as const]]);
  const vic: Actor = {
    by: 'vic@x.org',
    via: 'web',
    reach: { kind: 'person', userId: 'vic', name: 'Vic', isAdministrator: false, members },
  };
  const { uses } = await findUses(vic, own, hook);
  expect(uses.map(({ projectName }) => projectName)).toEqual(['Mine']);
  await expect(findUses(vic, copy, hook)).rejects.toMatchObject({ code: 'not_found' });
});

async function runNow(projectId: ProjectId) {
  const { treeHash } = await findProject(store, projectId);
  const [id, correlationId] = [brandAs<RunId>(randomUUID()), brandAs<CorrelationId>(randomUUID())];
  const run = { id, projectId, treeHash, correlationId };
  await store.pool.query(insertRunsSql, [...runValues([{ ...run, agent: 'lead', message: 'Go', model: undefined }])]);
  return run;
}

test('runs of earlier files count if these had the part', async () => {
  const own = await project('Superseded');
  await release(localActor, own, { label: 'live', target: { draft: 'main' }, note: 'One', override: undefined });
  await runNow(own);
  await runNow(own);
  await change(own, 'tools.ts', `${files['tools.ts']}// Newer.\n`);
  await release(localActor, own, { label: 'live', target: { draft: 'main' }, note: 'Two', override: undefined });
  await runNow(own);
  const counted = async (name: string) => {
    const { uses, earlierRuns, unread } = await findUses(localActor, own, { kind: 'tool', name, draft: 'main' });
    return { runs: uses.map(({ runs }) => runs), earlierRuns, unread };
  };
  expect(await counted('tools.ts:count')).toEqual({ runs: [1], earlierRuns: 2, unread: 0 });
  expect(await counted('tools.ts:other')).toEqual({ runs: [], earlierRuns: 0, unread: 0 });
});

test('remembered approvals and runs of these files are counted', async () => {
  const own = await project('Counted');
  const run = await runNow(own);
  await store.prisma.grant.create({
    data: {
      ...{ id: 'g', projectId: own, scope: 'project', runId: run.id, correlationId: run.correlationId, by: 'local' },
      ...{ tool: 'count', schemaHash: 'x' },
    },
  });
  const { uses, grants } = await findUses(localActor, own, { kind: 'tool', name: 'tools.ts:count', draft: 'main' });
  expect([uses[0]?.runs, grants]).toEqual([1, 1]);
  expect((await findUses(localActor, own, hook)).grants).toBe(0);
});
