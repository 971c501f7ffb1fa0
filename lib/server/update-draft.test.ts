import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ProjectId } from '@/lib/base/ids';
import { executable } from '@/lib/store/hash';
import { putEntries, readEntries } from '@/lib/store/trees';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { cardText, memberOf, reviewDesk } from '@/lib/testing/review-desk';
import { createDraft, listDrafts } from './drafts';
import { openProject, saveFiles } from './projects';
import { readReviewChanges } from './review-changes';
import { addVersion, publishReview } from './reviews';
import { checkRelease, saveRevision } from './revisions';
import { updateFromLive } from './update-draft';

const { url, store } = await testDatabase();
const desk = reviewDesk(store);
const draft = 'late';
const lines = 'one\ntwo\nthree\nfour\nfive\n';

beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
});
afterAll(() => vi.unstubAllEnvs());

type Files = Readonly<Record<string, string | null>>;

/** Revision 1 goes live. The draft `late` begins there and gets `mine`, then `theirs` goes live as revision 2. */
async function apart(mine: Files, theirs: Files, first: Readonly<Record<string, string>> = {}) {
  const id = await desk.project({ 'lead.md': cardText('lead', 'One.'), 'note.txt': lines, ...first });
  const ada = memberOf(id, 'Ada', 'admin');
  await desk.publish(localActor, id);
  await createDraft(localActor, id, draft, { draft: 'main' });
  for (const [path, text] of Object.entries(mine)) await desk.write(id, path, text, { draft });
  for (const [path, text] of Object.entries(theirs)) await desk.write(id, path, text, { by: ada });
  await desk.publish(ada, id);
  return { id, ada };
}

async function filesOf(id: ProjectId, name = draft) {
  const { folder } = await openProject(localActor, id, { draft: name });
  return Object.fromEntries([...folder].map(([path, file]) => [path, file.kind === 'text' ? file.text : file.kind]));
}

const behind = async (id: ProjectId) => (await listDrafts(localActor, id)).find(({ name }) => name === draft)?.behind;
const liveCheck = async (id: ProjectId) =>
  (await checkRelease(localActor, id, 'live', { draft })).checks.find((check) => check.id === 'live');

test('what others published comes beside what the draft has, and the draft is no longer behind', async () => {
  const { id } = await apart(
    { 'note.txt': lines.replace('one', 'ONE'), 'own.txt': 'own' },
    { 'note.txt': lines.replace('five', 'FIVE'), 'new.txt': 'new', 'lead.md': cardText('lead', 'Two.') },
  );
  expect([await behind(id), (await liveCheck(id))?.ok]).toEqual([1, false]);
  const eve = memberOf(id, 'Eve', 'editor');
  const done = await updateFromLive(eve, id, draft);
  expect(done).toEqual({
    ...{ state: 'updated', version: 4, live: 2 },
    ...{ taken: ['lead.md', 'new.txt'], merged: ['note.txt'], resolved: [] },
  });
  expect(await filesOf(id)).toEqual({
    'lead.md': cardText('lead', 'Two.'),
    'new.txt': 'new',
    'note.txt': lines.replace('one', 'ONE').replace('five', 'FIVE'),
    'own.txt': 'own',
  });
  expect([await behind(id), await liveCheck(id)]).toEqual([0, undefined]);
  expect(await updateFromLive(eve, id, draft)).toEqual({ state: 'current', version: 4, live: 2 });
});

test('a conflict is answered with three texts, and nothing is saved until each has a resolution', async () => {
  const mine = lines.replace('three', 'MINE');
  const theirs = lines.replace('three', 'THEIRS');
  const { id } = await apart({ 'note.txt': mine }, { 'note.txt': theirs, 'new.txt': 'new' });
  const found = await updateFromLive(localActor, id, draft);
  expect(found).toEqual({
    ...{ state: 'conflicts', version: 2, live: 2, taken: ['new.txt'], merged: [] },
    conflicts: [{ path: 'note.txt', base: lines, ours: mine, theirs }],
  });
  expect(await filesOf(id)).toEqual({ 'lead.md': cardText('lead', 'One.'), 'note.txt': mine });
  const at = { version: 2, live: 2 };
  expect(await updateFromLive(localActor, id, draft, { ...at, resolutions: {} })).toEqual(found);
  const text = lines.replace('three', 'MINE and THEIRS');
  const done = await updateFromLive(localActor, id, draft, { ...at, resolutions: { 'note.txt': { text } } });
  expect(done).toMatchObject({ state: 'updated', version: 3, resolved: ['note.txt'] });
  expect(await filesOf(id)).toMatchObject({ 'note.txt': text, 'new.txt': 'new' });
});

test.each([
  ['ours', 'MINE'],
  ['theirs', 'THEIRS'],
] as const)('the side %s is kept as a whole', async (side, word) => {
  const { id } = await apart(
    { 'note.txt': lines.replace('three', 'MINE') },
    { 'note.txt': lines.replace('three', 'THEIRS') },
  );
  await updateFromLive(localActor, id, draft, { version: 2, live: 2, resolutions: { 'note.txt': side } });
  expect((await filesOf(id))['note.txt']).toBe(lines.replace('three', word));
  expect([await behind(id), await liveCheck(id)]).toEqual([0, undefined]);
});

test('what was compared must still be there', async () => {
  const { id, ada } = await apart(
    { 'note.txt': lines.replace('three', 'MINE') },
    { 'note.txt': lines.replace('three', 'THEIRS') },
  );
  const resolutions = { 'note.txt': 'ours' } as const;
  await desk.write(id, 'own.txt', 'own', { draft });
  await expect(updateFromLive(localActor, id, draft, { version: 2, live: 2, resolutions })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('The draft late was saved since you looked'),
  });
  await desk.write(id, 'new.txt', 'new', { by: ada });
  await desk.publish(ada, id);
  await expect(updateFromLive(localActor, id, draft, { version: 3, live: 2, resolutions })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('Revision 3 is live now'),
  });
  const other = { version: 3, live: 3, resolutions: { ...resolutions, 'lead.md': 'ours' } } as const;
  await expect(updateFromLive(localActor, id, draft, other)).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining('"lead.md" has no conflict'),
  });
  expect(await updateFromLive(localActor, id, draft, { version: 3, live: 3, resolutions })).toMatchObject({
    state: 'updated',
  });
});

test('a viewer and a stranger update nothing', async () => {
  const { id } = await apart({}, { 'new.txt': 'new' });
  const other = await desk.project({ 'lead.md': cardText('lead', 'One.') });
  await expect(updateFromLive(memberOf(id, 'Vic', 'viewer'), id, draft)).rejects.toMatchObject({ code: 'not_allowed' });
  await expect(updateFromLive(memberOf(other, 'Sam', 'admin'), id, draft)).rejects.toMatchObject({ code: 'not_found' });
  await expect(updateFromLive(localActor, id, 'none')).rejects.toMatchObject({ code: 'not_found' });
  await expect(updateFromLive(localActor, other, 'main')).rejects.toMatchObject({ code: 'bad_request' });
});

test('a file that one side deleted and the other one changed is asked about, and may stay deleted', async () => {
  const first = { 'a.txt': lines, 'b.txt': lines.toUpperCase() };
  const { id } = await apart(
    { 'a.txt': null, 'b.txt': 'SHORT\n' },
    { 'a.txt': lines.replace('one', '1'), 'b.txt': null },
    first,
  );
  expect(await updateFromLive(localActor, id, draft)).toMatchObject({
    state: 'conflicts',
    conflicts: [
      { path: 'a.txt', base: lines, ours: null, theirs: lines.replace('one', '1') },
      { path: 'b.txt', base: lines.toUpperCase(), ours: 'SHORT\n', theirs: null },
    ],
  });
  const resolutions = { 'a.txt': 'ours', 'b.txt': 'theirs' } as const;
  await updateFromLive(localActor, id, draft, { version: 3, live: 2, resolutions });
  expect(Object.keys(await filesOf(id))).toEqual(['lead.md', 'note.txt']);
});

test('a file that both sides added is asked about if it differs', async () => {
  const { id } = await apart({ 'a.txt': 'mine\n', 'b.txt': 'same\n' }, { 'a.txt': 'theirs\n', 'b.txt': 'same\n' });
  const found = await updateFromLive(localActor, id, draft);
  expect(found).toMatchObject({ conflicts: [{ path: 'a.txt', base: null, ours: 'mine\n', theirs: 'theirs\n' }] });
});

test('a file whose line ends alone differ has the changes of both sides', async () => {
  const crlf = lines.replaceAll('\n', '\r\n');
  const { id } = await apart({ 'note.txt': crlf }, { 'note.txt': lines.replace('three', 'THREE') });
  expect(await updateFromLive(localActor, id, draft)).toMatchObject({ state: 'updated', merged: ['note.txt'] });
  expect((await filesOf(id))['note.txt']).toBe(crlf.replace('three', 'THREE'));
});

test('bytes are taken over as they are, and asked about as a whole', async () => {
  const save = async (id: ProjectId, name: string, baseVersion: number, path: string, bytes: readonly number[]) =>
    await saveFiles(localActor, id, {
      ...{ draft: name, baseVersion },
      changes: [{ path, base64: Buffer.from(bytes).toString('base64') }],
    });
  const id = await desk.project({ 'lead.md': cardText('lead', 'One.') });
  await desk.publish(localActor, id);
  await createDraft(localActor, id, draft, { draft: 'main' });
  await save(id, 'main', 1, 'live.bin', [0, 1, 255]);
  await desk.publish(localActor, id);
  expect(await updateFromLive(localActor, id, draft)).toMatchObject({ state: 'updated', taken: ['live.bin'] });
  await save(id, draft, 2, 'live.bin', [0, 2, 255]);
  await save(id, 'main', 2, 'live.bin', [0, 3, 255]);
  await desk.publish(localActor, id);
  const sized = { hash: expect.any(String), size: 3 };
  expect(await updateFromLive(localActor, id, draft)).toMatchObject({
    conflicts: [{ path: 'live.bin', base: sized, ours: sized, theirs: sized }],
  });
  await updateFromLive(localActor, id, draft, { version: 3, live: 3, resolutions: { 'live.bin': 'theirs' } });
  const { folder } = await openProject(localActor, id, { draft });
  expect(folder.get('live.bin')).toEqual({ kind: 'binary', bytes: new Uint8Array([0, 3, 255]) });
});

test('drafts that have a revision in common which never was live are compared with it', async () => {
  const id = await desk.project({ 'lead.md': cardText('lead', 'One.'), 'note.txt': lines });
  await saveRevision(localActor, id, { draft: 'main', message: '' });
  await createDraft(localActor, id, draft, { draft: 'main' });
  await desk.write(id, 'note.txt', lines.replace('one', 'ONE'), { draft });
  await desk.write(id, 'note.txt', lines.replace('five', 'FIVE'));
  await desk.publish(localActor, id);
  expect(await updateFromLive(localActor, id, draft)).toMatchObject({ state: 'updated', merged: ['note.txt'] });
});

test('a draft that had all of it keeps its version', async () => {
  const { id } = await apart({ 'new.txt': 'new', 'own.txt': 'own' }, { 'new.txt': 'new' });
  expect(await updateFromLive(localActor, id, draft)).toMatchObject({ state: 'updated', version: 3, taken: [] });
  expect(await behind(id)).toBe(0);
});

test('a review whose draft was updated is published without a reason, and the next update begins there', async () => {
  const { id, ada } = await apart(
    { 'note.txt': lines.replace('one', 'ONE') },
    { 'note.txt': lines.replace('five', 'FIVE') },
  );
  const rae = memberOf(id, 'Rae', 'reviewer');
  const review = await desk.open(localActor, id, draft);
  await expect(publishReview(rae, id, review, { note: '', revision: 3, expected: 2 })).rejects.toMatchObject({
    details: { checks: 'live' },
  });
  await updateFromLive(localActor, id, draft);
  await addVersion(localActor, id, review, '');
  expect((await readReviewChanges(localActor, id, review)).moved).toBeUndefined();
  await publishReview(rae, id, review, { note: '', revision: 4, expected: 2 });
  // Main is behind now, and has what it published in another revision.
  await desk.write(id, 'note.txt', lines.replace('five', 'FIVE').replace('three', 'THREE'), { by: ada });
  expect(await updateFromLive(ada, id, 'main')).toMatchObject({ state: 'updated', merged: ['note.txt'] });
  expect((await filesOf(id, 'main'))['note.txt']).toBe('ONE\ntwo\nTHREE\nfour\nFIVE\n');
});

test('a file that live made executable is so in the draft, and one of the draft stays so', async () => {
  const id = await desk.project({ 'lead.md': cardText('lead', 'One.'), 'a.sh': lines, 'b.sh': lines });
  await desk.publish(localActor, id);
  await createDraft(localActor, id, draft, { draft: 'main' });
  await makeExecutable(id, draft, 'a.sh');
  await makeExecutable(id, 'main', 'b.sh');
  await desk.write(id, 'b.sh', lines.replace('five', 'FIVE'));
  await desk.publish(localActor, id);
  await updateFromLive(localActor, id, draft);
  expect((await entriesOf(id, draft)).filter(([, , mode]) => mode === executable).map(([path]) => path)).toEqual([
    'a.sh',
    'b.sh',
  ]);
});

async function entriesOf(id: ProjectId, name: string) {
  const where = { projectId_name: { projectId: id, name } };
  return await readEntries(store.prisma, (await store.prisma.draft.findUniqueOrThrow({ where })).treeHash);
}

async function makeExecutable(id: ProjectId, name: string, path: string) {
  const entries = (await entriesOf(id, name)).map(
    ([at, blob, mode]) => [at, blob, at === path ? executable : mode] as const,
  );
  const treeHash = await putEntries(store.prisma, entries, new Map());
  await store.prisma.draft.update({ where: { projectId_name: { projectId: id, name } }, data: { treeHash } });
}
