import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { GET, POST } from '@/app/answer/[link]/route';
import type { PendingId } from '@/lib/base/ids';
import { writeAnswerLink } from '@/lib/jobs/notify/answer-link';
import { findAudit } from '@/lib/store/audit';
import { readItems } from '@/lib/store/pending-items';
import { openingKey } from '@/lib/store/sealing';
import { testDatabase } from '@/lib/testing/postgres';
import { storedItem } from '@/lib/testing/stored-item';
import { storedRun } from '@/lib/testing/stored-run';

const { url, store } = await testDatabase();
const origin = 'https://callboard.example.org';
const target = '5c1d9d1e-target';
const { linkKey } = openingKey(Buffer.alloc(32, 9));

beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_LINK_KEY', linkKey);
  const row = { id: target, kind: 'mail', address: 'ana@example.org', mayAnswer: true };
  await store.prisma.notifyTarget.create({ data: row });
});
beforeEach(() => vi.stubEnv('CALLBOARD_PUBLIC_URL', origin));
afterAll(() => vi.unstubAllEnvs());

async function ask(fields: Parameters<typeof storedItem>[2] = {}): Promise<PendingId> {
  const runId = await storedRun(store);
  await store.prisma.run.update({ where: { id: runId }, data: { status: 'suspended', lastSeq: 5 } });
  return await storedItem(store, runId, fields);
}

async function linkTo(item: PendingId, more: { target?: string; seconds?: number } = {}): Promise<string> {
  const expiresAt = Math.floor(Date.now() / 1_000) + (more.seconds ?? 600);
  return writeAnswerLink({ item, target: more.target ?? target, expiresAt }, linkKey);
}

const requestOf = (link: string, init: RequestInit = {}) =>
  new Request(`${origin}/answer/${link}`, {
    ...init,
    headers: { host: 'callboard.example.org', ...Object.fromEntries(new Headers(init.headers)) },
  });
const contextOf = (link: string) => ({ params: Promise.resolve({ link }) });
const open = (link: string, init: RequestInit = {}) => GET(requestOf(link, init), contextOf(link));
const send = (link: string, fields: Record<string, string>, headers: Record<string, string> = { origin }) =>
  POST(requestOf(link, { method: 'POST', headers, body: new URLSearchParams(fields) }), contextOf(link));
const statusOf = async (item: PendingId) => (await readItems(store, [item], 'all'))[0]?.status;

test('scanners that open the link, also many times and by HEAD and prefetch, change nothing', async () => {
  const item = await ask();
  const link = await linkTo(item);
  const [{ n } = { n: 0 }] = (await store.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM "Audit"')).rows;
  const ways: RequestInit[] = [
    {},
    { method: 'HEAD' },
    { headers: { 'user-agent': 'MailScanner/1.0 (link check)' } },
    { headers: { purpose: 'prefetch', 'sec-purpose': 'prefetch;prerender' } },
    { headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' } },
  ];
  for (const way of [...ways, ...ways]) expect((await open(link, way)).status).toBe(200);
  for (const decision of ['approve', 'deny']) {
    const asked = requestOf(`${link}?decision=${decision}`);
    expect((await GET(asked, contextOf(link))).status).toBe(200);
  }
  const page = await open(link);
  const text = await page.text();
  expect(text).toContain('Call tool &#39;mail__send&#39;');
  expect(text).toContain('&quot;to&quot;: &quot;ana&quot;');
  expect(text).not.toMatch(/_next|<script>/);
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
  expect(await readItems(store, [item], 'all')).toMatchObject([{ status: 'open', answer: undefined }]);
  expect((await store.pool.query('SELECT count(*)::int AS n FROM "Audit"')).rows).toEqual([{ n }]);
});

test('a POST from the page answers once, is audited as a link, and later ones read who was first', async () => {
  const item = await ask();
  const link = await linkTo(item);
  const answers = await Promise.all([
    send(link, { decision: 'approve', note: 'Fine.' }),
    send(link, { decision: 'deny' }),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const [stored] = await readItems(store, [item], 'all');
  expect(stored).toMatchObject({ status: 'answered', answer: { by: 'ana@example.org', via: 'link' } });
  const late = await send(link, { decision: 'deny' });
  expect([late.status, await late.text()]).toEqual([409, expect.stringContaining('ana@example.org')]);
  expect((await (await open(link)).text()).includes('<form')).toBe(false);
  const entries = await findAudit(store, { actions: ['item.answered'], limit: 10 }, undefined);
  expect(entries.filter(({ object }) => object === item)).toMatchObject([{ actor: 'ana@example.org', via: 'link' }]);
});

test('a link is bound to its question, its addressee and its time, and needs a public address', async () => {
  const [item, other] = [await ask(), await ask()];
  const link = await linkTo(item);
  const tries: readonly (readonly [string, number])[] = [
    [link.replace(item, other), 404],
    [link.replace(target, 'environment-mail'), 404],
    [link.replace(/\.(\d+)\./, '.9999999999.'), 404],
    ['', 404],
    [await linkTo(item, { target: 'somebody-else' }), 410],
    [await linkTo(item, { seconds: -1 }), 410],
  ];
  for (const [text, status] of tries) {
    expect([text, (await open(text)).status]).toEqual([text, status]);
    expect([text, (await send(text, { decision: 'approve' })).status]).toEqual([text, status]);
  }
  await store.prisma.notifyTarget.update({ where: { id: target }, data: { mayAnswer: false } });
  expect((await send(link, { decision: 'approve' })).status).toBe(410);
  await store.prisma.notifyTarget.update({ where: { id: target }, data: { mayAnswer: true } });
  vi.stubEnv('CALLBOARD_PUBLIC_URL', '');
  const local = { host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000' };
  expect((await open(link, { headers: local })).status).toBe(404);
  expect((await send(link, { decision: 'approve' }, local)).status).toBe(404);
  expect([await statusOf(item), await statusOf(other)]).toEqual(['open', 'open']);
});

test.each([
  ['another site', { origin: 'https://evil.example' }, 403],
  ['nowhere', {}, 403],
  ['an opaque origin', { origin: 'null' }, 403],
])('a form from %s answers nothing', async (_what, headers: Record<string, string>, status) => {
  const item = await ask();
  expect((await send(await linkTo(item), { decision: 'approve' }, headers)).status).toBe(status);
  expect(await statusOf(item)).toBe('open');
});

test('what a server asks is consented to in the inbox alone', async () => {
  const item = await ask({ what: 'question', sentence: 'mail asks to open an address' });
  const link = await linkTo(item);
  expect(await (await open(link)).text()).not.toContain('value="approve"');
  expect((await send(link, { decision: 'approve' })).status).toBe(400);
  expect(await statusOf(item)).toBe('open');
});

test('a question with a form can be declined by its link, and a button that is not there is refused', async () => {
  const item = await ask({ what: 'input', sentence: 'Clerk asks: <b>Which city?</b>' });
  const link = await linkTo(item);
  const text = await (await open(link)).text();
  expect(text).toContain('Clerk asks: &lt;b&gt;Which city?&lt;/b&gt;');
  expect(text).not.toContain('value="approve"');
  expect((await send(link, { decision: 'approve' })).status).toBe(400);
  expect((await send(link, { decision: 'edit' })).status).toBe(400);
  expect(await statusOf(item)).toBe('open');
  expect((await send(link, { decision: 'deny', note: 'Not now.' })).status).toBe(200);
  expect(await readItems(store, [item], 'all')).toMatchObject([{ answer: { decision: 'deny', note: 'Not now.' } }]);
});
