import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { findProject, insertProject, saveDraft } from '@/lib/store/projects';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { servedAgent } from './a2a/served-agent';
import { chatProject } from './chat-choices';
import { createDraft, deleteDraft } from './drafts';
import { release } from './revisions';
import { getRun, listRuns, startRun } from './runs';
import { confirmCapabilities, readTrust } from './trust';

const { url, store } = await testDatabase();

beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
});
afterAll(() => vi.unstubAllEnvs());

const card = (name: string, more = '') => `---\nname: ${name}\nmodel: passthrough\n${more}---\nWork.\n`;
const project = async (files: Readonly<Record<string, string>> = { 'lead.md': card('lead') }) =>
  await insertProject(store, 'Own', folderOf(files), { origin: 'blank' });
const publish = async (id: ProjectId, label = 'live', draft = 'main') =>
  await release(localActor, id, { label, target: { draft }, note: '' });

async function write(id: ProjectId, text: string, draft = 'main') {
  const { version } = await findProject(store, id, draft);
  const changes = [{ path: 'lead.md', file: { kind: 'text', text } as const }];
  await saveDraft(store, id, { draft, baseVersion: version, changes, limits: { files: 9, totalBytes: 9_999 } });
}

test('a project that was never published runs its draft, and the answer says so', async () => {
  const id = await project();
  const started = await startRun(localActor, id, { message: 'Go' });
  expect(started).toMatchObject({
    revision: null,
    label: null,
    draft: 'main',
    note: expect.stringContaining('Nothing'),
  });
  expect(await getRun(localActor, started.runId)).toMatchObject({ draft: 'main', revision: undefined });
});

test('a start asks for its files once, whether something is live or not, and for its limits once', async () => {
  const id = await project();
  const query = vi.spyOn(Client.prototype, 'query');
  const namesOf = async (work: Promise<unknown>) => {
    query.mockClear();
    await work;
    return query.mock.calls.map(([one]: readonly unknown[]) => nameOf(one)).toSorted();
  };
  const once = ['enqueue-runs', 'find-project-to-run', 'limit-rules'];
  try {
    expect(await namesOf(startRun(localActor, id, { message: 'Go' }))).toEqual(once);
    await publish(id);
    expect(await namesOf(startRun(localActor, id, { message: 'Go' }))).toEqual(once);
  } finally {
    query.mockRestore();
  }
});

function nameOf(query: unknown): string {
  return typeof query === 'object' && query !== null && 'name' in query ? String(query.name) : String(query);
}

test('callers get the live revision; a revision, a label or a draft is run when it is named', async () => {
  const id = await project();
  await publish(id);
  await write(id, card('boss'));
  await publish(id, 'staging');
  await write(id, card('chief'));
  await createDraft(localActor, id, 'try', { revision: 1 });
  const ran = async (target?: Parameters<typeof startRun>[2]['target']) => {
    const { runId, conversationId: _, ...named } = await startRun(localActor, id, { message: 'Go', target });
    const { treeHash } = await getRun(localActor, runId);
    return { ...named, treeHash };
  };
  const trees = await store.prisma.revision.findMany({ where: { projectId: id }, orderBy: { number: 'asc' } });
  const [one, two] = trees.map(({ treeHash }) => treeHash);
  expect(await ran()).toEqual({ revision: 1, label: 'live', draft: null, treeHash: one });
  expect(await ran({ label: 'staging' })).toEqual({ revision: 2, label: 'staging', draft: null, treeHash: two });
  expect(await ran({ revision: 2 })).toEqual({ revision: 2, label: null, draft: null, treeHash: two });
  expect(await ran({ draft: 'try' })).toEqual({ revision: null, label: null, draft: 'try', treeHash: one });
  expect(await ran({ draft: 'main' })).toMatchObject({ draft: 'main' });
  await expect(ran({ revision: 9 })).rejects.toMatchObject({ code: 'not_found' });
  await expect(ran({ label: 'none' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(ran({ draft: 'gone' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(ran({ draft: 'main', revision: 1 })).rejects.toMatchObject({ code: 'bad_request' });
});

test('A2A and the chat offer the live revision', async () => {
  const id = await project();
  await publish(id);
  await write(id, card('boss'));
  expect(await servedAgent(localActor, id)).toMatchObject({ version: 1, entry: { name: 'lead' } });
  expect(await chatProject(localActor, id)).toMatchObject({ choices: { entry: 'lead' } });
});

test('a run again has the draft of the old run, and main when that is gone', async () => {
  const id = await project();
  await createDraft(localActor, id, 'try', { draft: 'main' });
  await publish(id);
  const { runId } = await startRun(localActor, id, { message: 'Go', target: { draft: 'try' } });
  const again = { kind: 'again', run: runId, files: 'draft' } as const;
  expect(await startRun(localActor, id, { again })).toMatchObject({ draft: 'try' });
  expect(await startRun(localActor, id, { again: { ...again, files: 'recorded' } })).toMatchObject({ draft: 'try' });
  await deleteDraft(localActor, id, 'try');
  expect(await startRun(localActor, id, { again })).toMatchObject({ draft: 'main' });
});

test('runs are found by the number of their revision', async () => {
  const id = await project();
  await publish(id);
  const { runId } = await startRun(localActor, id, { message: 'Live' });
  await startRun(localActor, id, { message: 'Draft', target: { draft: 'main' } });
  const where = [
    { field: 'project', value: id },
    { field: 'revision', value: 1 },
  ] as const;
  const { groups } = await listRuns(localActor, { where, limit: 9, after: undefined });
  expect(groups.flatMap(({ runs }) => runs)).toMatchObject([{ id: runId, revision: 1, label: 'live' }]);
});

test('a person confirms what live starts while the draft starts something else', async () => {
  const files = {
    'lead.md': card('lead', 'servers: [time]\n'),
    'fast-agent.yaml': 'mcp:\n  servers:\n    time: { command: node, args: [a] }\n',
  };
  const id = await insertProject(store, 'Own', folderOf(files), { origin: 'import' });
  await publish(id);
  await write(id, card('lead'));
  const { details } = await startRun(localActor, id, { message: 'Go' }).then(
    () => ({ details: undefined }),
    (error: { readonly details?: Readonly<Record<string, string>> }) => error,
  );
  expect(await readTrust(localActor, id, { label: 'live' })).toMatchObject({
    state: 'unconfirmed',
    hash: details?.hash,
  });
  await confirmCapabilities(localActor, id, details?.hash ?? '');
  expect(await startRun(localActor, id, { message: 'Go' })).toMatchObject({ revision: 1 });
});
