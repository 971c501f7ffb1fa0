import { afterEach, expect, test, vi } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import { chooseNotices, markAsRead, readNotices, readUnread } from '@/lib/server/person-notices';
import { comment, editComment, reply } from '@/lib/server/review-threads';
import { addVersion, getReview, giveVerdict } from '@/lib/server/reviews';
import { release, rollBack } from '@/lib/server/revisions';
import { mailServerKey } from '@/lib/store/notify-targets';
import { openingKey } from '@/lib/store/sealing';
import { writeSetting } from '@/lib/store/settings';
import { eventually } from '@/lib/testing/eventually';
import { localActor } from '@/lib/testing/local-actor';
import { noticeShop } from '@/lib/testing/notice-shop';
import { testDatabase } from '@/lib/testing/postgres';
import { startSmtpListener } from '@/lib/testing/smtp-listener';
import { personInBrowser } from '@/lib/testing/token-people';
import { createAddressGuard } from '@/lib/tools/mcp/address-guard';
import { systemClock } from '../system-clock';
import { noNotices } from './notify-settings';
import { createNoticeSender } from './send-notices';
import { tellRecorded } from './tell';

const { url, store } = await testDatabase();
vi.stubEnv('DATABASE_URL', url);
const { project, write, team, endedRun, open, wordsOf, clear } = noticeShop(store);

afterEach(clear);

test('people who may approve get a notice of a review, and its author of their decision', async () => {
  const id = await project();
  const { ada, ed, rae, vic } = await team(id);
  const number = await open(ed, id);
  await tellRecorded(store);
  const asked = ['ed asks for review 1 of Shop: Shorter'];
  expect([await wordsOf(ada), await wordsOf(rae)]).toEqual([asked, asked]);
  expect([await wordsOf(ed), await wordsOf(vic)]).toEqual([[], []]);
  expect((await readNotices(rae, { after: undefined, limit: 5 })).notices).toMatchObject([
    { kind: 'review.asked', href: `/p/${id}/reviews/1`, projectName: 'Shop', isRead: false },
  ]);
  const { head } = await getReview(rae, id, number);
  await giveVerdict(rae, id, number, { verdict: 'approve', revision: head.number, note: '' });
  await giveVerdict(ada, id, number, { verdict: 'request_changes', revision: head.number, note: 'Why?' });
  await write(id, 'three');
  await addVersion(ed, id, number, 'More');
  await tellRecorded(store);
  expect(await wordsOf(ed)).toEqual([
    'ada asks for changes in review 1 of Shop: Shorter',
    'rae approved review 1 of Shop: Shorter',
  ]);
  expect((await wordsOf(rae))[0]).toBe('A new version ended your verdict on review 1 of Shop: Shorter');
});

test('a mentioned person gets one notice, and an edit sends notices to people whom it adds', async () => {
  const id = await project();
  const { ada, ed, rae } = await team(id);
  const outside = await personInBrowser(store, 'otto@x.org');
  const number = await open(ed, id);
  await tellRecorded(store);
  const anchor = { kind: 'line', file: 'lead.md', from: 5, to: 5 } as const;
  const said = await comment(ed, id, number, { anchor, body: '@rae and @otto, look', suggestion: undefined });
  await tellRecorded(store);
  const mention = 'ed mentions you in review 1 of Shop: Shorter';
  expect((await wordsOf(rae))[0]).toBe(mention);
  // Who may not open the project is told nothing of it.
  expect(await wordsOf(outside)).toEqual([]);
  expect(await store.prisma.personNotice.count({ where: { person: 'otto@x.org' } })).toBe(0);
  const thread = (await getReview(ed, id, number)).threads.find((each) => each.id === said.thread);
  const first = thread?.comments[0]?.id ?? '';
  await editComment(ed, id, { review: number, thread: said.thread, comment: first }, '@rae @ada, look');
  await tellRecorded(store);
  expect((await wordsOf(rae)).filter((words) => words === mention)).toHaveLength(1);
  expect((await wordsOf(ada))[0]).toBe(mention);
});

test('the author of a review and who wrote in a thread hear of each comment once, by a mention if there is one', async () => {
  const id = await project();
  const { ada, ed, rae, vic } = await team(id);
  const number = await open(ed, id);
  await tellRecorded(store);
  const anchor = { kind: 'line', file: 'lead.md', from: 5, to: 5 } as const;
  const { thread } = await comment(rae, id, number, { anchor, body: 'Why?', suggestion: undefined });
  await tellRecorded(store);
  const commented = 'comments on review 1 of Shop: Shorter';
  expect([(await wordsOf(ed))[0], await wordsOf(vic)]).toEqual([`rae ${commented}`, []]);
  const said = { review: number, thread };
  await reply(ed, id, said, { body: 'It was long.' });
  await reply(ada, id, said, { body: 'I see, @ed.' });
  await tellRecorded(store);
  await tellRecorded(store);
  expect((await wordsOf(ed)).slice(0, 2)).toEqual([
    'ada mentions you in review 1 of Shop: Shorter',
    `rae ${commented}`,
  ]);
  expect((await wordsOf(rae)).slice(0, 2)).toEqual([`ada ${commented}`, `ed ${commented}`]);
  // Another thread is none of hers, and an edit tells nothing a second time.
  const other = await comment(ada, id, number, { anchor, body: 'And here?', suggestion: undefined });
  await tellRecorded(store);
  const first =
    (await getReview(ed, id, number)).threads.find((each) => each.id === other.thread)?.comments[0]?.id ?? '';
  await editComment(ada, id, { review: number, thread: other.thread, comment: first }, 'And there?');
  await tellRecorded(store);
  expect((await wordsOf(rae)).filter((words) => words.includes('comments'))).toHaveLength(2);
  expect((await wordsOf(ed)).filter((words) => words === `ada ${commented}`)).toHaveLength(1);
});

test('a mention in the description of a review or in the note of a verdict sends one notice', async () => {
  const id = await project();
  const { ada, ed, rae, vic } = await team(id);
  await webhook('hook');
  const otto = await personInBrowser(store, 'otto@x.org');
  const number = await open(ed, id, 'See @rae, @vic, @otto, @ed and `import "@types/node"`.');
  await tellRecorded(store);
  const mention = 'ed mentions you in review 1 of Shop: Shorter';
  // Who is mentioned and may decide hears of the mention alone.
  expect([await wordsOf(rae), await wordsOf(vic)]).toEqual([[mention], [mention]]);
  expect(await wordsOf(ada)).toEqual(['ed asks for review 1 of Shop: Shorter']);
  expect([await wordsOf(ed), await wordsOf(otto)]).toEqual([[], []]);

  const { head } = await getReview(rae, id, number);
  const said = { verdict: 'request_changes', revision: head.number } as const;
  await giveVerdict(rae, id, number, { ...said, note: '@ed and @ada, why? @vic knows.' });
  await giveVerdict(rae, id, number, { ...said, verdict: 'withdrawn', note: 'I see, @vic.' });
  await tellRecorded(store);
  await tellRecorded(store);
  const byRae = 'rae mentions you in review 1 of Shop: Shorter';
  // Its author hears of the verdict, which has the note.
  expect(await wordsOf(ed)).toEqual(['rae asks for changes in review 1 of Shop: Shorter']);
  expect((await wordsOf(ada))[0]).toBe(byRae);
  expect(await wordsOf(vic)).toEqual([byRae, byRae, mention]);
  const sent = await store.prisma.outbox.findMany({ where: { target: 'hook' } });
  expect(sent.map(({ kind }) => kind).toSorted()).toEqual([
    ...['review.asked', 'review.decided', 'review.mentioned', 'review.mentioned', 'review.mentioned'],
  ]);
});

test('a review that mentions nobody who is known sends no notice of a mention', async () => {
  const id = await project();
  const { ed } = await team(id);
  await webhook('hook');
  await open(ed, id, '@nobody and `@types/node`');
  await tellRecorded(store);
  expect((await store.prisma.outbox.findMany()).map(({ kind }) => kind)).toEqual(['review.asked']);
});

test('a new live revision sends notices to people who run it, a label does not, and nobody gets a notice of their own act', async () => {
  const id = await project();
  const { ada, ed, rae, vic } = await team(id);
  const target = { draft: 'main' } as const;
  await release(ada, id, { label: 'staging', target, note: 'Try', override: undefined });
  await tellRecorded(store);
  expect(await wordsOf(ed)).toEqual([]);
  await release(ada, id, { label: 'live', target, note: 'Go', override: undefined });
  await rollBack(ada, id, { label: 'live', note: 'Wrong' });
  await tellRecorded(store);
  const words = ['ada rolled back to revision 1 of Shop', 'ada published revision 2 of Shop'];
  expect([await wordsOf(ed), await wordsOf(rae)]).toEqual([words, words]);
  expect([await wordsOf(ada), await wordsOf(vic)]).toEqual([[], []]);
});

test('workers at the same time send each notice once, and nothing the second time', async () => {
  const id = await project();
  const { ed, rae } = await team(id);
  await open(ed, id);
  for (let n = 0; n < 20; n++) await endedRun(id, { by: 'ed@x.org', status: 'failed', usd: 0, seconds: 1 });
  await Promise.all(Array.from({ length: 6 }, () => tellRecorded(store)));
  expect(await tellRecorded(store)).toBe(0);
  expect([(await wordsOf(ed)).length, (await wordsOf(rae)).length]).toEqual([20, 1]);
});

test('an entry that is recorded while a worker reads the log sends one notice, and one message to a webhook', async () => {
  const id = await project();
  await webhook('hook');
  const holder = await store.pool.connect();
  try {
    // The worker knows the newest entry, and then waits before it reads the entries.
    await holder.query('BEGIN; LOCK TABLE auth_user IN ACCESS EXCLUSIVE MODE');
    const telling = tellRecorded(store);
    await eventually(async () => expect(await waitingForPeople()).toBe(1));
    await store.pool.query(
      `INSERT INTO "Audit" (actor, via, action, object, "projectId", body) VALUES ('ada@x.org', 'web', 'revision.published', $1, $1, $2)`,
      [id, JSON.stringify({ label: 'live', revision: 1 })],
    );
    await holder.query('COMMIT');
    expect([await telling, await tellRecorded(store)]).toEqual([1, 0]);
  } finally {
    holder.release();
  }
  expect(await store.prisma.outbox.count({ where: { target: 'hook' } })).toBe(1);
});

async function waitingForPeople(): Promise<number> {
  const { rows } = await store.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND relation = 'auth_user'::regclass`,
  );
  return rows[0]?.n ?? 0;
}

async function webhook(target: string) {
  const groups = ['reviews', 'published', 'runs'];
  const row = { kind: 'webhook', address: 'https://hooks.example.org/a', secret: 'whsec_x' };
  await store.prisma.notifyTarget.create({ data: { ...row, id: target, groups } });
}

test('an entry that is read a second time goes to no webhook again, and an edited mention neither', async () => {
  const id = await project();
  const { ed } = await team(id);
  await webhook('hook');
  const number = await open(ed, id);
  const anchor = { kind: 'line', file: 'lead.md', from: 5, to: 5 } as const;
  const { thread } = await comment(ed, id, number, { anchor, body: '@rae, look', suggestion: undefined });
  const { rows } = await store.pool.query<{ value: string }>(`SELECT value FROM "Setting" WHERE key = 'notices.told'`);
  await tellRecorded(store);
  await store.pool.query(`UPDATE "Setting" SET value = $1 WHERE key = 'notices.told'`, [rows[0]?.value]);
  const first = (await getReview(ed, id, number)).threads[0]?.comments[0]?.id ?? '';
  await editComment(ed, id, { review: number, thread, comment: first }, '@rae @ada, look');
  expect(await tellRecorded(store)).toBe(2);
  const sent = await store.prisma.outbox.findMany({ where: { target: 'hook' }, orderBy: { kind: 'asc' } });
  expect(sent.map(({ kind }) => kind)).toEqual(['review.asked', 'review.mentioned']);
});

test('entries beyond the limit of one round send their notices in the next round', async () => {
  const id = await project();
  const { ed, ada } = await team(id);
  const body = JSON.stringify({ label: 'live', revision: 1 });
  await store.pool.query(
    `INSERT INTO "Audit" (actor, via, action, object, "projectId", body)
     SELECT 'ada@x.org', 'web', CASE WHEN n % 2 = 0 THEN 'revision.published' ELSE 'project.renamed' END, $1, $1, $2
     FROM generate_series(1, 620) n`,
    [id, body],
  );
  const counts = [await tellRecorded(store), await tellRecorded(store), await tellRecorded(store)];
  expect(counts).toEqual([200, 110, 0]);
  expect(await store.prisma.personNotice.count({ where: { person: ed.by } })).toBe(310);
  expect(await readUnread(ed)).toBe(100);
  expect(await readUnread(ada)).toBe(0);
});

test('a person marks notices as read one by one or all, page by page, and no notices of others', async () => {
  const id = await project();
  const { ada, ed, rae } = await team(id);
  await release(ada, id, { label: 'live', target: { draft: 'main' }, note: 'Go', override: undefined });
  await rollBack(ada, id, { label: 'live', note: '' });
  await tellRecorded(store);
  const page = await readNotices(ed, { after: undefined, limit: 1 });
  expect(page.notices).toHaveLength(1);
  const rest = await readNotices(ed, { after: page.next, limit: 1 });
  expect([rest.notices.length, rest.next]).toEqual([1, undefined]);
  const [first] = page.notices;
  await markAsRead(rae, [first?.id ?? '']);
  expect(await readUnread(ed)).toBe(2);
  await markAsRead(ed, [first?.id ?? '']);
  expect([await readUnread(ed), await readUnread(rae)]).toEqual([1, 2]);
  await markAsRead(ed, 'all');
  expect([await readUnread(ed), await readUnread(rae)]).toEqual([0, 2]);
  // Who leaves the project sees nothing of it any more.
  const left: Actor = { ...rae, reach: { ...reachOf(rae), members: new Map() } };
  expect([await wordsOf(left), await readUnread(left)]).toEqual([[], 0]);
});

function reachOf(actor: Actor) {
  if (typeof actor.reach === 'string' || actor.reach.kind !== 'person') throw new Error('No person');
  return actor.reach;
}

test('without accounts the one person gets notices too, but not of their own acts', async () => {
  const id = await project();
  await release(localActor, id, { label: 'live', target: { draft: 'main' }, note: 'Go', override: undefined });
  await endedRun(id, { by: 'local', status: 'failed', usd: 0, seconds: 1 });
  await tellRecorded(store);
  expect(await wordsOf(localActor)).toEqual(['A run of lead in Shop failed']);
});

test('each person chooses the app and mail, and mail goes to those who may still open the project', async () => {
  const smtp = await startSmtpListener();
  try {
    const id = await project();
    const { ada, ed, rae } = await team(id);
    await writeSetting(store.pool, mailServerKey, JSON.stringify({ host: 'x', from: 'y' }));
    await chooseNotices(rae, { group: 'reviews', inApp: false, mail: true });
    await chooseNotices(ada, { group: 'reviews', inApp: true, mail: false });
    await open(ed, id);
    await tellRecorded(store);
    expect([await wordsOf(rae), await readUnread(rae), (await wordsOf(ada)).length]).toEqual([[], 0, 1]);
    const mail = {
      ...{ host: '127.0.0.1', port: smtp.port, secure: false, user: 'bot', password: 'p' },
      ...{ from: 'callboard@example.org', to: [], mayAnswer: false },
    };
    const sender = createNoticeSender({
      ...{ store, clock: systemClock, port: 3000, keys: [openingKey(Buffer.alloc(32, 9))] },
      ...{ guard: createAddressGuard(undefined), random: () => 0.5 },
      settings: { ...noNotices, mail, publicUrl: 'https://callboard.example.org' },
    });
    while ((await sender.sendDue()) > 0);
    expect(smtp.mails.map(({ to }) => to)).toEqual([['rae@x.org']]);
    expect(smtp.mails[0]?.source).toContain('ed asks for review 1 of Shop: Shorter');
    expect(smtp.mails[0]?.source.replaceAll('=\r\n', '')).toContain(`https://callboard.example.org/p/${id}/reviews/1`);

    await release(ada, id, { label: 'live', target: { draft: 'main' }, note: 'Go', override: undefined });
    await chooseNotices(rae, { group: 'published', inApp: true, mail: true });
    await tellRecorded(store);
    await store.prisma.member.deleteMany({ where: { user: { email: 'rae@x.org' } } });
    while ((await sender.sendDue()) > 0);
    expect(smtp.mails).toHaveLength(1);
    expect(await store.prisma.outbox.findMany({ where: { kind: 'revision.live' } })).toMatchObject([
      { person: 'rae@x.org', error: 'Not sent: the person may not open the project any more.' },
    ]);
  } finally {
    await smtp.close();
  }
});

test('a webhook gets what its groups name, of its own project, with words and no texts of the run', async () => {
  const [id, other] = [await project(), await project()];
  const row = { kind: 'webhook', address: 'https://hooks.example.org/a', secret: 'whsec_x' };
  await store.prisma.notifyTarget.create({ data: { ...row, id: 'runs', projectId: id, groups: ['runs'] } });
  await store.prisma.notifyTarget.create({ data: { ...row, id: 'published', groups: ['published'] } });
  for (const each of [id, other]) await endedRun(each, { by: 'local', status: 'failed', usd: 0, seconds: 1 });
  await release(localActor, other, { label: 'live', target: { draft: 'main' }, note: 'Go', override: undefined });
  await tellRecorded(store);
  const sent = await store.prisma.outbox.findMany({ orderBy: { kind: 'asc' } });
  expect(sent.map(({ target, kind, body }) => [target, kind, JSON.parse(body).project])).toEqual([
    ['published', 'revision.live', other],
    ['runs', 'run.failed', id],
  ]);
});
