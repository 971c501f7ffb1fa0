import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ProjectId } from '@/lib/base/ids';
import { lockProject } from '@/lib/store/draft-lock';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { cardText, memberOf, reviewDesk } from '@/lib/testing/review-desk';
import { createDraft, listDrafts } from './drafts';
import { readReviewChanges } from './review-changes';
import { checkRelease, listReleases, listRevisions, rollBack, saveRevision } from './revisions';

const { url, store } = await testDatabase();
const desk = reviewDesk(store);

beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
});
afterAll(() => vi.unstubAllEnvs());

const files = (note: string) => ({ 'lead.md': cardText('lead', 'One.'), 'note.txt': note });

/** Each text of a note goes live as a revision of Ada, one after the other. */
async function lived(first: string, ...notes: readonly string[]) {
  const id = await desk.project(files(first));
  const ada = memberOf(id, 'Ada', 'admin');
  await desk.publish(ada, id);
  for (const note of notes) {
    await desk.write(id, 'note.txt', note);
    await desk.publish(ada, id);
  }
  return { id, ada };
}

const back = async (id: ProjectId, to: number) => await rollBack(localActor, id, { label: 'live', to, note: '' });
const liveCheck = async (id: ProjectId, draft: string) =>
  (await checkRelease(localActor, id, 'live', { draft })).checks.find((check) => check.id === 'live');
const behind = async (id: ProjectId) =>
  Object.fromEntries((await listDrafts(localActor, id)).map(({ name, behind: count }) => [name, count]));

test('a draft that continues what was rolled back does not bring it back unseen', async () => {
  const { id } = await lived('a\nb\nc\n', 'a\nB\nc\n');
  await createDraft(localActor, id, 'late', { revision: 2 });
  await desk.write(id, 'lead.md', cardText('lead', 'Late.'), { draft: 'late' });
  await back(id, 1);
  expect(await liveCheck(id, 'late')).toMatchObject({
    ok: false,
    sentence: expect.stringContaining('It would bring back what was rolled back: revision 2 by Ada, in note.txt.'),
  });
  expect(await behind(id)).toEqual({ late: 1, main: 1 });
  const review = await desk.open(localActor, id, 'late');
  const { moved } = await readReviewChanges(localActor, id, review);
  expect(moved).toMatchObject({ from: 2, by: [], files: ['note.txt'] });
  // Without the change that was rolled back nothing comes back.
  await desk.write(id, 'note.txt', 'a\nb\nc\n', { draft: 'late' });
  expect(await liveCheck(id, 'late')).toBeUndefined();
});

test('what was live in between and was rolled back is not named', async () => {
  const { id } = await lived('a\nb\nc\nd\ne\n', 'a\nB\nc\nd\ne\n', 'a\nB\nc\nd\nE\n');
  await createDraft(localActor, id, 'late', { revision: 1 });
  await desk.write(id, 'lead.md', cardText('lead', 'Late.'), { draft: 'late' });
  await back(id, 2);
  const found = await liveCheck(id, 'late');
  expect(found?.sentence).toContain('what went live meanwhile: revision 2 by Ada, in note.txt.');
  expect(await behind(id)).toEqual({ late: 1, main: 1 });
});

test('a draft of the revision that live was rolled back to has what is live', async () => {
  const { id, ada } = await lived('a\n', 'b\n');
  await createDraft(localActor, id, 'late', { revision: 1 });
  await desk.write(id, 'lead.md', cardText('lead', 'Late.'), { draft: 'late' });
  await back(id, 1);
  expect(await liveCheck(id, 'late')).toBeUndefined();
  expect(await behind(id)).toEqual({ late: 0, main: 1 });
  // A way forward again: what comes back was not rolled back any more.
  await back(id, 2);
  expect(await behind(id)).toEqual({ late: 1, main: 0 });
  expect((await liveCheck(id, 'late'))?.sentence).toContain('revision 2 by Ada, in note.txt');
  expect(await listReleases(ada, id, { limit: 9 })).toHaveLength(4);
});

test('after a roll back and another publication both are named', async () => {
  const { id, ada } = await lived('a\nb\nc\nd\ne\n', 'A\nb\nc\nd\ne\n');
  await createDraft(localActor, id, 'late', { revision: 2 });
  await desk.write(id, 'lead.md', cardText('lead', 'Late.'), { draft: 'late' });
  await back(id, 1);
  await createDraft(localActor, id, 'next', { revision: 1 });
  await desk.write(id, 'note.txt', 'a\nb\nc\nd\nE\n', { draft: 'next' });
  await desk.publish(ada, id, 'next');
  expect((await liveCheck(id, 'late'))?.sentence).toContain(
    'It would take back what went live meanwhile: revision 3 by Ada, and bring back what was rolled back: revision 2 by Ada, in note.txt.',
  );
});

test('a line that live removed does not come back with a change of the line beside it', async () => {
  const { id, ada } = await lived('model: a\nshell: true\nskills: []\n');
  await createDraft(localActor, id, 'late', { draft: 'main' });
  await desk.write(id, 'note.txt', 'model: a\nshell: true\nskills: [x]\n', { draft: 'late' });
  await desk.write(id, 'note.txt', 'model: a\nskills: []\n');
  await desk.publish(ada, id);
  expect(await liveCheck(id, 'late')).toMatchObject({ ok: false });
  await desk.write(id, 'note.txt', 'model: a\nskills: [x]\n', { draft: 'late' });
  expect(await liveCheck(id, 'late')).toBeUndefined();
});

test('a draft made before the first revision takes nothing back with its own changes', async () => {
  const id = await desk.project(files('a\nb\nc\nd\n'));
  await createDraft(localActor, id, 'late', { draft: 'main' });
  const { revisions } = await listRevisions(localActor, id, { limit: 9 });
  expect(revisions).toMatchObject([{ number: 1, draft: 'main', message: expect.stringContaining("draft 'late'") }]);
  await desk.write(id, 'note.txt', 'a\nb\nc\nD\n', { draft: 'late' });
  await desk.write(id, 'lead.md', cardText('lead', 'Two.'));
  await desk.publish(localActor, id);
  expect((await liveCheck(id, 'late'))?.sentence).toContain('in lead.md.');
  await desk.write(id, 'lead.md', cardText('lead', 'Two.'), { draft: 'late' });
  expect(await liveCheck(id, 'late')).toBeUndefined();
});

/** Publishes a draft. Between its checks and the move of the label the draft `main` goes live as the second release. */
async function overtaken(id: ProjectId, draft: string) {
  const { revision } = await saveRevision(localActor, id, { draft: 'main', message: '' });
  let publishing: Promise<PromiseSettledResult<Awaited<ReturnType<typeof desk.publish>>>[]> | undefined;
  await store.prisma.$transaction(
    async (db) => {
      await lockProject(db, id);
      publishing = Promise.allSettled([desk.publish(localActor, id, draft)]);
      await expect
        .poll(() => store.prisma.$queryRaw`SELECT 1 AS waits FROM pg_locks WHERE NOT granted`, { timeout: 20_000 })
        .toEqual([{ waits: 1 }]);
      const release = { id: randomUUID(), projectId: id, number: 2, label: 'live', revisionId: revision.id };
      await db.release.create({ data: { ...release, kind: 'publish', by: 'ada@x.org', reason: '' } });
    },
    { timeout: 30_000 },
  );
  return (await publishing)?.[0];
}

test('what goes live between the checks of a publication and its move is not taken back', async () => {
  const { id } = await lived('a\n');
  await createDraft(localActor, id, 'late', { draft: 'main' });
  await desk.write(id, 'lead.md', cardText('lead', 'Late.'), { draft: 'late' });
  await desk.write(id, 'note.txt', 'b\n');
  const message = expect.stringContaining("Revision 2 is 'live' now");
  expect(await overtaken(id, 'late')).toMatchObject({ status: 'rejected', reason: { code: 'conflict', message } });
  const again = desk.publish(localActor, id, 'late');
  await expect(again).rejects.toMatchObject({ code: 'conflict', details: { checks: 'live' } });
});

test('of two publications of one draft at once the second one does nothing', async () => {
  const { id } = await lived('a\n');
  await desk.write(id, 'note.txt', 'b\n');
  expect(await overtaken(id, 'main')).toMatchObject({ value: { isNew: false, revision: { number: 2 } } });
});
