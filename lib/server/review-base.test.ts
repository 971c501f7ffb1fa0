import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { cardText, memberOf, reviewDesk } from '@/lib/testing/review-desk';
import { createDraft, listDrafts } from './drafts';
import { readReviewChanges } from './review-changes';
import { getReview, publishReview, withdrawReview } from './reviews';
import { checkRelease, listReleases, release, rollBack } from './revisions';

const { url, store } = await testDatabase();
const desk = reviewDesk(store);

beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
});
afterAll(() => vi.unstubAllEnvs());

const guard = 'export function guard(ctx, args, next) {\n  return next(args);\n}\n';

/** Revision 1 is live. Review 1 asks for revision 2. Then revision 3, with a hook, goes live from another draft. */
async function overtaken() {
  const id = await desk.project({ 'lead.md': cardText('lead', 'One.'), 'note.txt': 'n', 'hooks.ts': guard });
  await desk.publish(localActor, id);
  await createDraft(localActor, id, 'guarded', { draft: 'main' });
  await desk.write(id, 'lead.md', cardText('lead', 'Two.'));
  const review = await desk.open(localActor, id);
  await desk.write(id, 'lead.md', cardText('lead', 'One.', 'tool_hooks: [hooks.ts:guard]\n'), { draft: 'guarded' });
  await desk.write(id, 'note.txt', 'noted', { draft: 'guarded' });
  await desk.publish(localActor, id, 'guarded');
  return { id, review };
}

test('an open review is compared with the live revision, and says what it would take back', async () => {
  const { id, review } = await overtaken();
  const { against, capabilities, groups, moved } = await readReviewChanges(localActor, id, review);
  expect(against).toBe(3);
  expect(capabilities).toContainEqual(expect.objectContaining({ kind: 'hook', weight: 'more' }));
  expect(groups.map(({ title }) => title)).toContain('Hooks of lead');
  expect(moved).toMatchObject({ from: 1, files: ['lead.md', 'note.txt'] });
  expect(moved?.capabilities.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['hook']));
  // The new text is what the review asks for. It is no change of live that would be taken back.
  expect(moved?.capabilities.map(({ kind }) => kind)).not.toContain('text');
});

test('no move is reported while live is the same', async () => {
  const id = await desk.project({ 'lead.md': cardText('lead', 'One.') });
  const first = await desk.open(localActor, id);
  expect(await readReviewChanges(localActor, id, first)).toMatchObject({ against: undefined, moved: undefined });
  await desk.publish(localActor, id);
  await desk.write(id, 'lead.md', cardText('lead', 'Two.'));
  const second = await desk.open(localActor, id);
  expect(await readReviewChanges(localActor, id, second)).toMatchObject({ against: 1, moved: undefined });
});

test('publishing a review is refused if live moved since the person looked', async () => {
  const { id, review } = await overtaken();
  const publish = (expected?: number | null) =>
    publishReview(localActor, id, review, { note: '', revision: 2, expected, override: 'Its hook was wrong.' });
  const refused = { code: 'conflict', message: expect.stringContaining("Revision 3 is 'live' now") };
  await expect(publish(1)).rejects.toMatchObject(refused);
  // Who says nothing is taken to have seen what was live when the review was opened.
  await expect(publish()).rejects.toMatchObject(refused);
  expect(await publish(3)).toMatchObject({ isNew: true, before: 3 });
  // A second click finds it published.
  expect(await publish(3)).toMatchObject({ isNew: false });
});

test('a closed review keeps the comparison that it ended with', async () => {
  const { id, review } = await overtaken();
  const withdrawn = await overtaken();
  await publishReview(localActor, id, review, { note: '', revision: 2, expected: 3, override: 'Wrong hook.' });
  await rollBack(localActor, id, { label: 'live', note: '' });
  expect(await getReview(localActor, id, review)).toMatchObject({ status: 'published', base: 1, against: 3 });
  expect(await readReviewChanges(localActor, id, review)).toMatchObject({ against: 3, moved: undefined });

  await withdrawReview(localActor, withdrawn.id, withdrawn.review);
  const rae = memberOf(withdrawn.id, 'Rae', 'reviewer');
  const again = { label: 'live', target: { draft: 'main' }, note: '', override: 'Wrong hook.' };
  await release(rae, withdrawn.id, again);
  expect(await readReviewChanges(localActor, withdrawn.id, withdrawn.review)).toMatchObject({ against: 3 });
});

/** The draft `late` has revision 1 and other changes. Then Ada publishes revision 2. */
async function lateDraft() {
  const id = await desk.project({ 'lead.md': cardText('lead', 'One.'), 'note.txt': 'first\nsecond\nthird\n' });
  const ada = memberOf(id, 'Ada', 'admin');
  await desk.publish(localActor, id);
  await createDraft(localActor, id, 'late', { draft: 'main' });
  await desk.write(id, 'lead.md', cardText('lead', 'Late.'), { draft: 'late' });
  await desk.write(id, 'note.txt', 'FIRST\nsecond\nthird\n', { by: ada });
  await desk.publish(ada, id);
  return { id, ada };
}

test('a review of a draft that was behind when it was opened says whose work it would take back', async () => {
  const { id, ada } = await lateDraft();
  expect((await listDrafts(ada, id)).map(({ name, behind }) => [name, behind])).toEqual([
    ['main', 0],
    ['late', 1],
  ]);
  const review = await desk.open(localActor, id, 'late');
  const { moved } = await readReviewChanges(localActor, id, review);
  expect(moved).toMatchObject({ from: 1, by: ['Ada'], files: ['note.txt'] });
});

test('what others published is taken back with a reason alone', async () => {
  const { id } = await lateDraft();
  const rae = memberOf(id, 'Rae', 'reviewer');
  const found = (await checkRelease(rae, id, 'live', { draft: 'late' })).checks.find((check) => check.id === 'live');
  expect(found).toMatchObject({ ok: false, overridable: true });
  expect(found?.sentence).toContain('revision 2 by Ada, in note.txt');
  await expect(desk.publish(rae, id, 'late')).rejects.toMatchObject({ code: 'conflict', details: { checks: 'live' } });
  const target = { draft: 'late' };
  await release(rae, id, { label: 'live', target, note: '', override: 'The note was wrong.' });
  const [last] = await listReleases(rae, id, { limit: 1 });
  expect(last).toMatchObject({ reason: 'The note was wrong.', overrode: ['live'] });
});

test('a draft that has the change of others beside its own takes nothing back', async () => {
  const { id, ada } = await lateDraft();
  await desk.write(id, 'note.txt', 'FIRST\nsecond\nTHIRD\n', { draft: 'late' });
  await desk.publish(ada, id, 'late');
});
