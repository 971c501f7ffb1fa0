import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ProjectId } from '@/lib/base/ids';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { cardText, memberOf, reviewDesk } from '@/lib/testing/review-desk';
import { addVersion, getReview, publishReview } from './reviews';
import { checkRelease } from './revisions';

const { url, store } = await testDatabase();
const desk = reviewDesk(store);

beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
});
afterAll(() => vi.unstubAllEnvs());

const strict = 'message: Hello\nexpect:\n  answer: { contains: Hello }\n';
const weak = 'message: Hello\n';
const fixture = 'tests/hello.fixture.yaml';

async function tested(): Promise<ProjectId> {
  const id = await desk.project({ 'lead.md': cardText('lead', 'One.'), [fixture]: strict });
  await desk.demand(id, { approvals: 1 });
  return id;
}

async function reviewCheck(id: ProjectId) {
  const { checks } = await checkRelease(localActor, id, 'live', { draft: 'main' });
  return checks.find(({ id: check }) => check === 'review')?.ok;
}

/** Stores closures as releases did that did not cover tests. */
async function forgetTests(id: ProjectId): Promise<void> {
  const plain = await desk.project({ 'lead.md': cardText('lead', 'One.') });
  await desk.open(localActor, plain);
  const { closure, closureHash } = await store.prisma.revision.findFirstOrThrow({ where: { projectId: plain } });
  await store.prisma.$executeRawUnsafe('ALTER TABLE "Revision" DISABLE TRIGGER revision_keep');
  await store.prisma.revision.updateMany({ where: { projectId: id }, data: { closure, closureHash } });
  await store.prisma.$executeRawUnsafe('ALTER TABLE "Revision" ENABLE TRIGGER revision_keep');
}

test('an approval ends when an expectation of a test is weakened, and says so', async () => {
  const id = await tested();
  const review = await desk.open(localActor, id);
  await desk.approve(localActor, id, review);
  expect(await reviewCheck(id)).toBe(true);
  await desk.write(id, fixture, weak);
  expect(await reviewCheck(id)).toBe(false);
  await addVersion(memberOf(id, 'Ann', 'editor'), id, review, '');
  expect((await getReview(localActor, id, review)).verdicts).toMatchObject([
    { staleBy: `a change of ${fixture} by Ann (version 2) made it stale` },
  ]);
});

test('an approval from before tests were covered holds for the same tests, and for no others', async () => {
  const id = await tested();
  const review = await desk.open(localActor, id);
  await forgetTests(id);
  await desk.approve(localActor, id, review);
  expect(await reviewCheck(id)).toBe(true);
  // The same files are the same revision, and a version with another note ends nothing.
  expect(await addVersion(localActor, id, review, '')).toEqual({ version: 1, isNew: false });
  await desk.write(id, 'note.txt', 'n');
  await addVersion(localActor, id, review, '');
  expect((await getReview(localActor, id, review)).verdicts).toMatchObject([{ staleBy: null }]);
  expect((await getReview(localActor, id, review)).missing).toEqual([]);
  await desk.write(id, fixture, weak);
  expect(await reviewCheck(id)).toBe(false);
  // Without any test the hash is the one that was approved.
  await desk.write(id, fixture, null);
  expect(await reviewCheck(id)).toBe(false);
  await addVersion(memberOf(id, 'Ann', 'editor'), id, review, '');
  expect((await getReview(localActor, id, review)).verdicts).toMatchObject([
    { staleBy: `a change of ${fixture} by Ann (version 3) made it stale` },
  ]);
});

test('an owner of files that decide nothing approves exactly the text that goes live', async () => {
  const id = await desk.project({ 'lead.md': cardText('lead', 'One.'), 'docs/about.md': 'About' });
  await desk.publish(localActor, id);
  await desk.demand(id, { owners: [{ pattern: 'docs/*', people: ['bob@x.org', 'cid@x.org'] }] });
  await desk.write(id, 'docs/about.md', 'About us');
  const review = await desk.open(localActor, id);
  const bob = memberOf(id, 'Bob', 'reviewer');
  const missing = async () => (await getReview(bob, id, review)).missing;
  await desk.approve(bob, id, review);
  expect(await missing()).toEqual([]);
  expect(await reviewCheck(id)).toBe(true);
  await desk.write(id, 'docs/about.md', 'About you');
  expect(await reviewCheck(id)).toBe(false);
  await addVersion(localActor, id, review, '');
  expect(await missing()).toEqual([
    'docs/about.md was changed after it was approved. It needs the approval of bob@x.org or cid@x.org again.',
  ]);
  await expect(publishReview(bob, id, review, { note: '', revision: 3 })).rejects.toMatchObject({ code: 'conflict' });
  // The layout of the canvas and files of nobody are not what Bob is asked about.
  await desk.approve(bob, id, review);
  await desk.write(id, 'other.txt', 'n');
  expect(await reviewCheck(id)).toBe(true);
});
