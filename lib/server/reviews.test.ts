import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import { noReviewPolicy, type ReviewPolicy } from '@/lib/base/review-policy';
import type { Role } from '@/lib/base/rights';
import { folderOf } from '@/lib/cards/files';
import type { ReviewAnchor } from '@/lib/graph/review/anchor';
import { findAudit } from '@/lib/store/audit';
import { findProject, insertProject, readDraft, removeProject, saveDraft } from '@/lib/store/projects';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { createDraft, renameDraft } from './drafts';
import { readReviewChanges } from './review-changes';
import { applySuggestion, comment, editComment, removeComment, reply, setThread } from './review-threads';
import {
  addVersion,
  getReview,
  getReviewPolicy,
  giveVerdict,
  listReviews,
  openReview,
  publishReview,
  setReviewPolicy,
  withdrawReview,
} from './reviews';
import { checkRelease, release } from './revisions';

const { url, store } = await testDatabase();

beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
});
afterAll(() => vi.unstubAllEnvs());

const card = (text: string) => `---\nname: lead\nmodel: passthrough\n---\n${text}\n`;
const limits = { files: 100, totalBytes: 1_000_000 };
const project = async () =>
  await insertProject(store, 'Own', folderOf({ 'lead.md': card('one\ntwo\nthree'), 'note.txt': 'n' }), {
    origin: 'blank',
  });

async function write(id: ProjectId, text: string, path = 'lead.md', draft = 'main') {
  const { version } = await findProject(store, id, draft);
  const changes = [{ path, file: { kind: 'text', text } as const }];
  return await saveDraft(store, id, { draft, baseVersion: version, changes, limits });
}

function person(name: string, own: ProjectId, role: Role): Actor {
  const members = new Map([[own, { role, answers: false }] as const]);
  const reach = { kind: 'person', userId: name, name, isAdministrator: false, members } as const;
  return { by: `${name.toLowerCase()}@x.org`, via: 'web', reach };
}

const open = async (actor: Actor, id: ProjectId) =>
  (await openReview(actor, id, { draft: 'main', title: 'Shorter', body: 'Why' })).number;
const headOf = async (id: ProjectId, n: number) => (await getReview(localActor, id, n)).head.number;
const approve = async (actor: Actor, id: ProjectId, n: number) =>
  await giveVerdict(actor, id, n, { verdict: 'approve', revision: await headOf(id, n), note: 'Fine' });
const demand = async (id: ProjectId, policy: Partial<ReviewPolicy>) =>
  await setReviewPolicy(localActor, id, { ...noReviewPolicy, ...policy });
const publishDraft = async (actor: Actor, id: ProjectId, override?: string) =>
  await release(actor, id, { label: 'live', target: { draft: 'main' }, note: 'Go', override });
const line = (from: number, to = from): ReviewAnchor => ({ kind: 'line', file: 'lead.md', from, to });

test('a review pins a revision and the hash of its files, beside the live revision', async () => {
  const id = await project();
  await publishDraft(localActor, id);
  await expect(open(localActor, id)).rejects.toMatchObject({ code: 'conflict' });
  await write(id, card('one'));
  const ann = person('Ann', id, 'editor');
  expect(await open(ann, id)).toBe(1);
  const review = await getReview(ann, id, 1);
  expect(review).toMatchObject({
    status: 'open',
    author: 'ann@x.org',
    authorName: 'Ann',
    base: 1,
    version: 1,
    head: { number: 2, closureHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    heads: [{ version: 1, revision: 2, by: 'ann@x.org' }],
    missing: [],
  });
  // The draft goes on, and the review stays what it was.
  await write(id, card('other'));
  expect((await getReview(ann, id, 1)).head).toEqual(review.head);
  await expect(open(ann, id)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('Review 1') });
  expect(await listReviews(ann, id, { limit: 9 })).toMatchObject([{ number: 1 }]);
  expect(await listReviews(ann, id, { status: 'published', limit: 9 })).toEqual([]);
  const [entry] = await findAudit(store, { project: id, limit: 1 }, undefined);
  expect(entry).toMatchObject({ action: 'review.opened', actor: 'ann@x.org' });
});

test('a review shows what changes: in power, part by part, and in its files', async () => {
  const id = await project();
  const first = await open(localActor, id);
  // Nothing was live, so all of it is new.
  expect((await readReviewChanges(localActor, id, first)).files).toMatchObject([
    { path: 'lead.md', change: 'added', before: undefined, after: card('one\ntwo\nthree') },
    { path: 'note.txt', change: 'added' },
  ]);
  await publishDraft(localActor, id);
  await write(id, card('one').replace('---\none', 'tool_hooks: [hooks.ts:audit]\nshell: true\n---\none'));
  await write(id, 'export function audit(ctx, args, next) {\n  return next(args);\n}\n', 'hooks.ts');
  const second = await open(localActor, id);
  const { capabilities, groups, files } = await readReviewChanges(person('Eve', id, 'viewer'), id, second);
  expect(capabilities).toContainEqual(expect.objectContaining({ kind: 'shell', weight: 'more' }));
  expect(groups.map(({ title, rows }) => [title, rows.map(({ change, words }) => `${change} ${words}`)])).toEqual([
    ['Agents', ['changed lead']],
    ['Hooks of lead', ['added hooks.ts:audit']],
  ]);
  expect(files.map(({ path, change }) => `${change} ${path}`)).toEqual(['added hooks.ts', 'changed lead.md']);
  // Each row is something that a comment can be about.
  for (const { anchor } of groups.flatMap(({ rows }) => rows)) {
    if (anchor !== undefined) await comment(localActor, id, second, { anchor, body: 'a' });
  }
});

test('an approval ends with its hash and says what ended it, and lives on with an equal hash', async () => {
  const id = await project();
  const ann = person('Ann', id, 'editor');
  const n = await open(ann, id);
  const bob = person('Bob', id, 'reviewer');
  await approve(bob, id, n);
  // The layout decides nothing of what runs do.
  await write(id, 'more', 'note.txt');
  expect(await addVersion(ann, id, n, 'Note')).toEqual({ version: 2, isNew: true });
  expect((await getReview(bob, id, n)).verdicts).toMatchObject([{ verdict: 'approve', staleAt: null, revision: 1 }]);
  await write(id, card('changed'));
  expect(await addVersion(ann, id, n, 'Text')).toEqual({ version: 3, isNew: true });
  expect(await addVersion(ann, id, n, 'Again')).toEqual({ version: 3, isNew: false });
  expect((await getReview(bob, id, n)).verdicts).toMatchObject([
    { by: 'bob@x.org', staleAt: expect.any(Date), staleBy: 'a change of lead.md by Ann (version 3) made it stale' },
  ]);
  // An approval is for what the person saw.
  await expect(giveVerdict(bob, id, n, { verdict: 'approve', revision: 1, note: '' })).rejects.toMatchObject({
    code: 'conflict',
  });
  await approve(bob, id, n);
  await giveVerdict(bob, id, n, { verdict: 'request_changes', revision: await headOf(id, n), note: 'Hm' });
  expect((await getReview(bob, id, n)).verdicts.slice(1)).toMatchObject([
    { verdict: 'approve', staleBy: 'Bob decided again' },
    { verdict: 'request_changes', staleAt: null, note: 'Hm' },
  ]);
});

test('publishing is blocked wherever it is asked while approvals are missing', async () => {
  const id = await project();
  const ann = person('Ann', id, 'reviewer');
  const bob = person('Bob', id, 'reviewer');
  await demand(id, { approvals: 1, authorMayApprove: false });
  const n = await open(ann, id);
  const blocked = { code: 'conflict', message: expect.stringContaining('one approval of exactly these files') };
  await expect(publishDraft(ann, id)).rejects.toMatchObject(blocked);
  await expect(publishReview(ann, id, n, { note: '', revision: 1 })).rejects.toMatchObject(blocked);
  await expect(publishReview(ann, id, n, { note: '', revision: 1, override: 'x' })).rejects.toMatchObject(blocked);
  await expect(approve(ann, id, n)).rejects.toMatchObject({ code: 'not_allowed' });
  expect((await getReview(ann, id, n)).missing).toHaveLength(1);
  // Another label is for trying.
  await release(ann, id, { label: 'staging', target: { draft: 'main' }, note: '' });
  await approve(bob, id, n);
  // What was not approved does not go live with the approval of something else.
  await write(id, card('sneaked in'));
  await expect(publishDraft(ann, id)).rejects.toMatchObject(blocked);
  expect(await publishReview(ann, id, n, { note: 'Go', revision: 1 })).toMatchObject({
    revision: { number: 1 },
    isNew: true,
    checks: expect.arrayContaining([expect.objectContaining({ id: 'review', ok: true })]),
  });
  expect(await getReview(ann, id, n)).toMatchObject({ status: 'published', closedAt: expect.any(Date) });
  expect(await publishReview(ann, id, n, { note: 'Go', revision: 1 })).toMatchObject({ isNew: false });
  const stored = await store.prisma.release.findFirst({ where: { projectId: id, label: 'live' } });
  expect(stored?.reviewId).toBe((await getReview(ann, id, n)).id);
  await expect(approve(bob, id, n)).rejects.toMatchObject({ code: 'conflict' });
});

test('an admin overrides a missing approval with a reason, which the audit log keeps', async () => {
  const id = await project();
  await demand(id, { approvals: 2 });
  const n = await open(localActor, id);
  await expect(publishDraft(localActor, id)).rejects.toMatchObject({ code: 'conflict' });
  await publishDraft(person('Adi', id, 'admin'), id, 'Nobody is here');
  const entries = await findAudit(store, { project: id, limit: 9, actions: ['gate.overridden'] }, undefined);
  expect(entries.map(({ body }) => JSON.parse(body))).toMatchObject([{ checks: 'review', reason: 'Nobody is here' }]);
  // What the review asked for is live, whoever published it and how.
  expect((await getReview(localActor, id, n)).status).toBe('published');
});

test('owners of a path and of an agent are asked when it is touched', async () => {
  const id = await project();
  await publishDraft(localActor, id);
  const owners = [
    { pattern: 'note*', people: ['bob@x.org'] },
    { pattern: 'agent:lead', people: ['cid@x.org'] },
  ];
  await demand(id, { owners });
  await write(id, 'more', 'note.txt');
  const [bob, cid] = [person('Bob', id, 'reviewer'), person('Cid', id, 'reviewer')];
  const n = await open(localActor, id);
  expect((await getReview(bob, id, n)).missing).toEqual(['note.txt needs the approval of bob@x.org.']);
  await approve(cid, id, n);
  await expect(publishDraft(cid, id)).rejects.toMatchObject({ code: 'conflict' });
  await approve(bob, id, n);
  await write(id, card('two'));
  await addVersion(localActor, id, n, '');
  await approve(bob, id, n);
  expect((await getReview(bob, id, n)).missing).toEqual(["The agent 'lead' needs the approval of cid@x.org."]);
  await approve(cid, id, n);
  await publishDraft(cid, id);
});

test('only admins change what a project asks, and editors neither approve nor publish', async () => {
  const id = await project();
  const editor = person('Ann', id, 'editor');
  const n = await open(editor, id);
  const refused = { code: 'not_allowed' };
  await expect(setReviewPolicy(person('Bob', id, 'reviewer'), id, noReviewPolicy)).rejects.toMatchObject(refused);
  await expect(approve(editor, id, n)).rejects.toMatchObject(refused);
  await expect(publishReview(editor, id, n, { note: '', revision: 1 })).rejects.toMatchObject(refused);
  await expect(open(person('Eve', id, 'runner'), id)).rejects.toMatchObject(refused);
  await expect(
    comment(person('Eve', id, 'viewer'), id, n, { anchor: { kind: 'review' }, body: 'a' }),
  ).rejects.toMatchObject(refused);
  await expect(withdrawReview(person('Other', id, 'editor'), id, n)).rejects.toMatchObject(refused);
  await expect(getReview(person('Far', await project(), 'admin'), id, n)).rejects.toMatchObject({ code: 'not_found' });
  await setReviewPolicy(person('Adi', id, 'admin'), id, { ...noReviewPolicy, approvals: 1 });
  expect(await getReviewPolicy(editor, id)).toEqual({ approvals: 1, authorMayApprove: true, owners: [] });
});

test('without accounts reviews are optional, and one person approves their own change', async () => {
  const id = await project();
  await publishDraft(localActor, id);
  await write(id, card('two'));
  await demand(id, { approvals: 1 });
  const n = await open(localActor, id);
  await approve(localActor, id, n);
  expect(await publishReview(localActor, id, n, { note: '', revision: 2 })).toMatchObject({ isNew: true });
  const { checks } = await checkRelease(localActor, await project(), 'live', { draft: 'main' });
  expect(checks.map(({ id: check }) => check)).not.toContain('review');
});

test('a comment follows its lines, and becomes outdated in sight when they change', async () => {
  const id = await project();
  const n = await open(localActor, id);
  const { thread } = await comment(localActor, id, n, { anchor: line(6), body: 'Why, @bob@x.org?' });
  await comment(localActor, id, n, { anchor: line(7), body: 'Stays' });
  await write(id, card('zero\none\ntwo\nthree'));
  await addVersion(localActor, id, n, '');
  expect((await getReview(localActor, id, n)).threads).toMatchObject([
    { id: thread, anchor: line(6), place: line(7), excerpt: 'two', version: 1, outdatedIn: null },
    { place: line(8), outdatedIn: null },
  ]);
  await write(id, card('zero\none\nTWO\nthree'));
  await addVersion(localActor, id, n, '');
  expect((await getReview(localActor, id, n)).threads).toMatchObject([
    {
      place: line(7),
      excerpt: 'two',
      outdatedIn: 3,
      comments: [{ body: 'Why, @bob@x.org?', mentions: ['bob@x.org'] }],
    },
    { place: line(8), outdatedIn: null },
  ]);
  await expect(comment(localActor, id, n, { anchor: line(99), body: 'a' })).rejects.toMatchObject({
    code: 'bad_request',
    message: 'Revision 3 does not have lead.md, line 99.',
  });
});

test('a thread is answered, resolved and reopened, and a comment is edited by its author alone', async () => {
  const id = await project();
  const n = await open(localActor, id);
  const { thread } = await comment(localActor, id, n, { anchor: { kind: 'agent', agent: 'lead' }, body: 'One' });
  const at = { review: n, thread };
  const ann = person('Ann', id, 'editor');
  const { comment: answer } = await reply(ann, id, at, { body: 'Two' });
  await setThread(ann, id, at, 'resolved');
  expect((await getReview(ann, id, n)).threads).toMatchObject([{ state: 'resolved', resolvedBy: 'ann@x.org' }]);
  await setThread(ann, id, at, 'open');
  await editComment(ann, id, { ...at, comment: answer }, 'Two, @cid');
  await expect(editComment(localActor, id, { ...at, comment: answer }, 'x')).rejects.toMatchObject({
    code: 'not_allowed',
  });
  expect((await getReview(ann, id, n)).threads).toMatchObject([
    {
      state: 'open',
      resolvedBy: null,
      comments: [
        { body: 'One', editedAt: null },
        { body: 'Two, @cid', mentions: ['cid'], editedAt: expect.any(Date) },
      ],
    },
  ]);
  await expect(reply(ann, id, { review: n, thread: 'none' }, { body: 'a' })).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(reply(ann, id, at, { body: ' ' })).rejects.toMatchObject({ code: 'bad_request' });
});

test('a comment is deleted by its author alone, keeps its place and is never changed again', async () => {
  const id = await project();
  const n = await open(localActor, id);
  const { thread } = await comment(localActor, id, n, { anchor: line(6), body: 'No @cid', suggestion: 'TWO' });
  const ann = person('Ann', id, 'editor');
  const [first] = (await getReview(ann, id, n)).threads[0]?.comments ?? [];
  const at = { review: n, thread, comment: first?.id ?? '' };
  await reply(ann, id, at, { body: 'Why?' });
  await expect(removeComment(ann, id, at)).rejects.toMatchObject({ code: 'not_allowed' });
  await removeComment(localActor, id, at);
  await removeComment(localActor, id, at);
  expect((await getReview(ann, id, n)).threads).toMatchObject([
    {
      comments: [
        { body: '', mentions: [], suggestion: null, deletedAt: expect.any(Date) },
        { body: 'Why?', deletedAt: null },
      ],
    },
  ]);
  await expect(editComment(localActor, id, at, 'Yes')).rejects.toMatchObject({ code: 'conflict' });
  await expect(applySuggestion(localActor, id, at)).rejects.toMatchObject({ code: 'bad_request' });
});

test('a suggestion is put into the draft once, and not over text that changed', async () => {
  const id = await project();
  const n = await open(localActor, id);
  const suggest = async (at: number, suggestion: string) => {
    const { thread } = await comment(localActor, id, n, { anchor: line(at), body: '', suggestion });
    const comments = (await getReview(localActor, id, n)).threads.find((each) => each.id === thread)?.comments;
    return { review: n, thread, comment: comments?.[0]?.id ?? '' };
  };
  const [first, second] = [await suggest(6, 'TWO\nand more'), await suggest(7, 'THREE')];
  await applySuggestion(localActor, id, first);
  await expect(applySuggestion(localActor, id, first)).rejects.toMatchObject({
    code: 'conflict',
    message: 'The suggestion was applied already.',
  });
  // Its lines moved in the draft.
  await applySuggestion(localActor, id, second);
  const { folder } = await readDraft(store, id);
  expect(folder.get('lead.md')).toEqual({ kind: 'text', text: card('one\nTWO\nand more\nTHREE') });
  const third = await suggest(5, 'ONE');
  await write(id, card('changed by somebody'));
  await expect(applySuggestion(localActor, id, third)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('changed since'),
  });
  await expect(
    comment(localActor, id, n, { anchor: { kind: 'agent', agent: 'lead' }, body: '', suggestion: 'x' }),
  ).rejects.toMatchObject({ code: 'bad_request' });
});

test('a verdict and a review are withdrawn, and then no longer count', async () => {
  const id = await project();
  const bob = person('Bob', id, 'reviewer');
  await demand(id, { approvals: 1 });
  const n = await open(person('Ann', id, 'editor'), id);
  await approve(bob, id, n);
  const withdrawn = { verdict: 'withdrawn', revision: 1, note: '' } as const;
  await giveVerdict(bob, id, n, withdrawn);
  expect((await getReview(bob, id, n)).verdicts).toMatchObject([
    { verdict: 'approve', staleBy: 'Bob withdrew it' },
    { verdict: 'withdrawn' },
  ]);
  await expect(giveVerdict(bob, id, n, withdrawn)).rejects.toMatchObject({ code: 'conflict' });
  await expect(publishDraft(bob, id)).rejects.toMatchObject({ code: 'conflict' });
  await approve(bob, id, n);
  await withdrawReview(person('Ann', id, 'editor'), id, n);
  await withdrawReview(person('Ann', id, 'editor'), id, n);
  await expect(publishDraft(bob, id)).rejects.toMatchObject({ code: 'conflict' });
  await expect(publishReview(bob, id, n, { note: '', revision: 1 })).rejects.toMatchObject({ code: 'conflict' });
  await expect(addVersion(localActor, id, n, '')).rejects.toMatchObject({ code: 'conflict' });
  // The same files are reviewed anew.
  expect(await open(localActor, id)).toBe(n + 1);
});

test('a review follows its draft to another name, and goes with its project', async () => {
  const id = await project();
  await createDraft(localActor, id, 'try', { draft: 'main' });
  await write(id, card('x'), 'lead.md', 'try');
  const { number } = await openReview(localActor, id, { draft: 'try', title: 'T', body: '' });
  await renameDraft(localActor, id, 'try', 'tried');
  await write(id, card('y'), 'lead.md', 'tried');
  expect(await addVersion(localActor, id, number, '')).toMatchObject({ version: 2 });
  await comment(localActor, id, number, { anchor: { kind: 'review' }, body: 'a' });
  await approve(localActor, id, number);
  await removeProject(store, id);
  expect(await store.prisma.review.count({ where: { projectId: id } })).toBe(0);
});
