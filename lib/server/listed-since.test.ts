import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ProjectId } from '@/lib/base/ids';
import { printOf } from '@/lib/base/known-servers';
import { noReviewPolicy } from '@/lib/base/review-policy';
import { folderOf } from '@/lib/cards/files';
import { keepServerNews } from '@/lib/store/known-servers';
import { findProject, insertProject, saveDraft } from '@/lib/store/projects';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { readReviewChanges, readRevisionChanges } from './review-changes';
import { addVersion, getReview, giveVerdict, openReview, publishReview, setReviewPolicy } from './reviews';
import { checkRelease, release } from './revisions';

const { url, store } = await testDatabase();

beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
});
afterAll(() => vi.unstubAllEnvs());

const files = {
  'lead.md': '---\nname: lead\nmodel: passthrough\nservers: [mail]\n---\nLead.\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    mail: { url: "https://mail.example.org/mcp" }\n',
};

/** A project whose server listed these tools. `send#2` has another description than `send`; `look reads` only reads. */
async function project(...tools: readonly string[]) {
  const id = await insertProject(store, 'Own', folderOf(files), { origin: 'blank' });
  if (tools.length > 0) await list(id, 1, ...tools);
  return id;
}

async function list(id: ProjectId, probedAt: number, ...tools: readonly string[]) {
  const found = tools.map((tool) => /^(\w+)#?(\w+)?( reads)?$/.exec(tool) ?? []);
  const own = found.map(([, name = '', , mark]) => ({ name, inputSchema: {}, readOnly: mark !== undefined }));
  const prints = Object.fromEntries(
    found.map(([, name = '', hash = '1', mark]) => [name, printOf(hash, mark !== undefined)]),
  );
  const listing = { tools: own, resources: [], prompts: [], probedAt };
  await keepServerNews(store, id, [
    { news: 'listed', server: 'mail', listing, prints: { tools: prints, resources: {}, prompts: {} } },
  ]);
}

const publishDraft = async (id: ProjectId) =>
  await release(localActor, id, { label: 'live', target: { draft: 'main' }, note: 'Go' });
const open = async (id: ProjectId) => {
  await setReviewPolicy(localActor, id, { ...noReviewPolicy, approvals: 1 });
  return (await openReview(localActor, id, { draft: 'main', title: 'Mails', body: '' })).number;
};
const approve = async (id: ProjectId, n: number) => {
  const { head } = await getReview(localActor, id, n);
  await giveVerdict(localActor, id, n, { verdict: 'approve', revision: head.number, note: '' });
  return head.number;
};
const reviewCheck = async (id: ProjectId, revision: number) =>
  (await checkRelease(localActor, id, 'live', { revision })).checks.find((check) => check.id === 'review');
const sentences = (changes: readonly { readonly sentence: string }[] | undefined) =>
  changes?.map(({ sentence }) => sentence);

test('the summary of a review reports new tools of a server, though no file is different', async () => {
  const id = await project('send', 'look reads');
  await publishDraft(id);
  await list(id, 2, 'send', 'look', 'erase');
  const review = await open(id);
  expect(sentences((await readReviewChanges(localActor, id, review)).capabilities)).toEqual([
    "Agent 'lead' can now call the tool 'erase' of the server 'mail', which the server lists since. It may write.",
    "The tool 'look' of the server 'mail' may now write. It no longer declares that it only reads. Agent 'lead' can call it.",
  ]);
  // What the server lists later is no part of the two versions.
  await list(id, 3, 'send');
  expect((await readReviewChanges(localActor, id, review)).capabilities).toHaveLength(2);
  expect(sentences((await readRevisionChanges(localActor, id, 2, 1)).capabilities)).toHaveLength(2);
  expect((await readRevisionChanges(localActor, id, 2, 2)).capabilities).toEqual([]);
});

test('revisions that were saved before lists were stored are read with what servers list now', async () => {
  const id = await project('send', 'look');
  await publishDraft(id);
  const { version } = await findProject(store, id, 'main');
  const text = files['lead.md'].replace('servers: [mail]', 'servers: [mail]\ntools: {mail: ["l*"]}');
  const changes = [{ path: 'lead.md', file: { kind: 'text', text } as const }];
  await saveDraft(store, id, { draft: 'main', baseVersion: version, changes, limits: { files: 9, totalBytes: 9999 } });
  await publishDraft(id);
  // A revision never changes, which a trigger holds.
  await store.pool.query(`ALTER TABLE "Revision" DISABLE TRIGGER USER; UPDATE "Revision" SET listed = NULL;
    ALTER TABLE "Revision" ENABLE TRIGGER USER`);
  await list(id, 2, 'send', 'look', 'list');
  expect(sentences((await readRevisionChanges(localActor, id, 2, 1)).capabilities)).toEqual([
    "Agent 'lead' can now call every tool of the server 'mail'. Before it was 'l*'. Of the tools that it lists, 'send', 'look' and 'list' may write.",
  ]);
});

test('an approval of a revision ends on the review page when a server lists other tools, until a new version is approved', async () => {
  const id = await project('send', 'look reads');
  const review = await open(id);
  const revision = await approve(id, review);
  expect(await getReview(localActor, id, review)).toMatchObject({ missing: [] });
  expect(await reviewCheck(id, revision)).toMatchObject({ ok: true });

  await list(id, 2, 'send#2', 'look', 'erase');
  const why =
    "The tools of the server 'mail' changed since revision 1 was saved (new: erase; changed: send; may now write: look), so its approvals count no longer. Add a version and ask for approvals of that.";
  expect((await getReview(localActor, id, review)).missing).toEqual([
    'It needs one approval of exactly these files and has none.',
    why,
  ]);
  expect(await reviewCheck(id, revision)).toMatchObject({ ok: false, sentence: expect.stringContaining(why) });
  await expect(publishReview(localActor, id, review, { note: '', revision })).rejects.toMatchObject({
    code: 'conflict',
  });

  expect(await addVersion(localActor, id, review, '')).toEqual({ version: 2, isNew: true });
  expect((await getReview(localActor, id, review)).missing).toHaveLength(1);
  const next = await approve(id, review);
  await publishReview(localActor, id, review, { note: '', revision: next });
});

test('a server that is tested for the first time after the approval ends it too', async () => {
  const id = await project();
  const review = await open(id);
  const revision = await approve(id, review);
  expect(await reviewCheck(id, revision)).toMatchObject({ ok: true });
  await list(id, 1, 'send');
  expect(await reviewCheck(id, revision)).toMatchObject({
    ok: false,
    sentence: expect.stringContaining("The tools of the server 'mail' changed since revision 1 was saved (new: send)"),
  });
});

test('a list that did not change ends no approval, and no list does where none is needed', async () => {
  const id = await project('send');
  const review = await open(id);
  const revision = await approve(id, review);
  await list(id, 2, 'send');
  expect(await reviewCheck(id, revision)).toMatchObject({ ok: true });
  await list(id, 3, 'erase');
  await setReviewPolicy(localActor, id, {
    ...noReviewPolicy,
    owners: [{ pattern: 'other/*', people: ['ann@example.org'] }],
  });
  expect(await reviewCheck(id, revision)).toMatchObject({ ok: true });
});
