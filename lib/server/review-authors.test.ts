import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ProjectId } from '@/lib/base/ids';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { cardText, memberOf, reviewDesk } from '@/lib/testing/review-desk';
import { createDraft, restoreRevision } from './drafts';
import { saversSince } from './projects';
import { addVersion, getReview, withdrawReview } from './reviews';
import { checkRelease, saveRevision } from './revisions';

const { url, store } = await testDatabase();
const desk = reviewDesk(store);

beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
});
afterAll(() => vi.unstubAllEnvs());

const refused = { code: 'not_allowed', message: expect.stringContaining('You wrote a part of this change') };

/** A project with a live revision, whose changes somebody else approves. */
async function shared() {
  const id = await desk.project({ 'lead.md': cardText('lead', 'One.') });
  await desk.publish(localActor, id);
  await desk.demand(id, { approvals: 1, authorMayApprove: false });
  const people = { rae: memberOf(id, 'Rae', 'reviewer'), ed: memberOf(id, 'Ed', 'editor') };
  return { id, ...people, bob: memberOf(id, 'Bob', 'reviewer') };
}

const lacks = async (id: ProjectId, review: number) => (await getReview(localActor, id, review)).missing.length > 0;

test('people who saved a part of a draft do not approve it, whether or not they opened the review', async () => {
  const { id, rae, ed, bob } = await shared();
  await desk.write(id, 'lead.md', cardText('lead', 'Two.'), { by: rae });
  const review = await desk.open(ed, id);
  expect((await getReview(rae, id, review)).authors).toEqual(['ed@x.org', 'rae@x.org']);
  await expect(desk.approve(rae, id, review)).rejects.toMatchObject(refused);
  await desk.approve(bob, id, review);
  expect(await lacks(id, review)).toBe(false);
  // Bob helps with the next version, and then somebody else is asked.
  await desk.write(id, 'lead.md', cardText('lead', 'Three.'), { by: bob });
  await addVersion(ed, id, review, '');
  await expect(desk.approve(bob, id, review)).rejects.toMatchObject(refused);
  await desk.approve(memberOf(id, 'Cid', 'reviewer'), id, review);
  expect(await lacks(id, review)).toBe(false);
});

test('an approval by a person who wrote a part no longer counts once authors may not approve', async () => {
  const { id, rae, ed } = await shared();
  await desk.demand(id, { approvals: 1 });
  await desk.write(id, 'lead.md', cardText('lead', 'Two.'), { by: rae });
  const review = await desk.open(ed, id);
  await desk.approve(rae, id, review);
  expect(await lacks(id, review)).toBe(false);
  await desk.demand(id, { approvals: 1, authorMayApprove: false });
  expect(await lacks(id, review)).toBe(true);
  const { checks } = await checkRelease(ed, id, 'live', { draft: 'main' });
  expect(checks).toContainEqual(expect.objectContaining({ id: 'review', ok: false }));
});

test('a revision in between and a draft made from the shared one hide no author', async () => {
  const { id, rae, ed } = await shared();
  await desk.write(id, 'lead.md', cardText('lead', 'Two.'), { by: rae });
  await createDraft(ed, id, 'copy', { draft: 'main' });
  await saveRevision(ed, id, { draft: 'main', message: '' });
  await desk.write(id, 'lead.md', cardText('lead', 'Three.'), { by: ed });
  const first = await desk.open(ed, id);
  await expect(desk.approve(rae, id, first)).rejects.toMatchObject(refused);
  const second = await desk.open(ed, id, 'copy');
  await expect(desk.approve(rae, id, second)).rejects.toMatchObject(refused);
});

test('the author of the live revision may approve the next one', async () => {
  const { id, rae, ed, bob } = await shared();
  await desk.write(id, 'lead.md', cardText('lead', 'Two.'), { by: rae });
  const first = await desk.open(ed, id);
  await desk.approve(bob, id, first);
  await desk.publish(bob, id);
  await desk.write(id, 'lead.md', cardText('lead', 'Three.'), { by: ed });
  const second = await desk.open(ed, id);
  await desk.approve(rae, id, second);
  expect(await lacks(id, second)).toBe(false);
  // What was saved and taken back is no part of the change.
  await withdrawReview(ed, id, second);
  await desk.write(id, 'lead.md', cardText('lead', 'Four.'), { by: rae });
  await desk.write(id, 'lead.md', cardText('lead', 'Three.'), { by: rae });
  await saveRevision(ed, id, { draft: 'main', message: '' });
  await desk.write(id, 'lead.md', cardText('lead', 'Five.'), { by: ed });
  expect((await getReview(ed, id, await desk.open(ed, id))).authors).toEqual(['ed@x.org']);
});

test('whoever restores a revision of somebody else hides no author of it', async () => {
  const { id, rae, ed, bob } = await shared();
  await createDraft(rae, id, 'aside', { draft: 'main' });
  await desk.write(id, 'lead.md', cardText('lead', 'Two.'), { draft: 'aside', by: rae });
  const { revision } = await saveRevision(rae, id, { draft: 'aside', message: '' });
  const { version } = await restoreRevision(ed, id, revision.number, 'main');
  // The author did not save the draft: their open editor says that somebody else did.
  expect(await saversSince(rae, id, version - 1, 'main')).toMatchObject({ you: false });
  expect(await saversSince(ed, id, version - 1, 'main')).toMatchObject({ you: true });
  const review = await desk.open(ed, id);
  expect((await getReview(ed, id, review)).authors).toEqual(['ed@x.org', 'rae@x.org']);
  await expect(desk.approve(rae, id, review)).rejects.toMatchObject(refused);
  await desk.approve(bob, id, review);
  expect(await lacks(id, review)).toBe(false);
});

test('an approval ends with its review: what comes back later is approved again', async () => {
  const { id, ed, bob } = await shared();
  await desk.write(id, 'lead.md', cardText('lead', 'Two.'), { by: ed });
  const first = await desk.open(ed, id);
  await desk.approve(bob, id, first);
  await desk.publish(bob, id);
  // The policy asks again for what the review had. But it is closed.
  expect(await getReview(ed, id, first)).toMatchObject({ status: 'published', missing: [] });
  // A second click publishes nothing, and finds nothing missing.
  await desk.publish(bob, id);
  await desk.write(id, 'lead.md', cardText('lead', 'Three.'), { by: ed });
  await desk.approve(bob, id, await desk.open(ed, id));
  await desk.publish(bob, id);
  await desk.write(id, 'lead.md', cardText('lead', 'Two.'), { by: ed });
  await expect(desk.publish(bob, id)).rejects.toMatchObject({ code: 'conflict', details: { checks: 'review' } });
});

test('while a review is open its approval counts for equal files of another draft', async () => {
  const { id, ed, bob } = await shared();
  await createDraft(ed, id, 'copy', { draft: 'main' });
  for (const draft of ['main', 'copy']) await desk.write(id, 'lead.md', cardText('lead', 'Two.'), { draft, by: ed });
  await desk.approve(bob, id, await desk.open(ed, id));
  await desk.publish(bob, id, 'copy');
});

test('a draft that lacks approvals says what is live, who else may approve, and where its review is', async () => {
  const { id, rae, ed } = await shared();
  await store.prisma.authUser.createMany({
    data: ['Rae', 'Ed', 'Old', 'Bob'].map((name) => ({
      ...{ id: `${id}-${name}`, name, email: `${name.toLowerCase()}-${id}@x.org` },
      deactivatedAt: name === 'Old' ? new Date() : null,
    })),
  });
  const roles = { Rae: 'reviewer', Ed: 'editor', Old: 'admin', Bob: 'admin' } as const;
  await store.prisma.member.createMany({
    data: Object.entries(roles).map(([name, role]) => ({
      ...{ projectId: id, userId: `${id}-${name}`, role, answers: false, addedBy: 'local' },
    })),
  });
  await desk.write(id, 'lead.md', cardText('lead', 'Two.'), { by: ed });
  const asked = (draft: string, actor = ed) => checkRelease(actor, id, 'live', { draft });
  expect(await asked('main')).toMatchObject({ now: 1, review: { reviewers: ['Bob', 'Rae'] } });
  expect((await asked('main')).review).not.toHaveProperty('open');
  const review = await desk.open(ed, id);
  const self = { ...rae, by: `rae-${id}@x.org` };
  expect((await asked('main', self)).review).toEqual({ open: review, reviewers: ['Bob'] });
  expect((await checkRelease(ed, id, 'staging', { draft: 'main' })).now).toBeNull();
  await desk.approve(memberOf(id, 'Cid', 'reviewer'), id, review);
  expect(await asked('main')).not.toHaveProperty('review');
});
