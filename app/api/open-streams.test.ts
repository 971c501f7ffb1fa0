import { beforeAll, expect, test } from 'vitest';
import { GET as streamPending } from '@/app/api/v1/pending/stream/route';
import { GET as streamEvents } from '@/app/api/v1/runs/[run]/events/route';
import type { Actor } from '@/lib/base/actor';
import type { RunId } from '@/lib/base/ids';
import { makeShare } from '@/lib/server/accounts/shares';
import { openStreamCount } from '@/lib/server/limits/open-streams';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { personInBrowser, scriptRequest, tokenFor, withTokens } from '@/lib/testing/token-people';

const { url, store } = await testDatabase();
withTokens(url);

let run: RunId;
let ann: Actor;
let ben: Actor;
beforeAll(async () => {
  run = await storedRun(store);
  ann = await personInBrowser(store, 'ann@streams.example', { administrator: true });
  ben = await personInBrowser(store, 'ben@streams.example', { administrator: true });
});

type Ask = (signal: AbortSignal) => Promise<Response>;

const pendingOf =
  (token: string): Ask =>
  (signal) =>
    streamPending(scriptRequest(`Bearer ${token}`, { signal }), { params: Promise.resolve({}) });

const eventsOf =
  (token: string, from: string): Ask =>
  (signal) => {
    const init = { signal, from, headers: { accept: 'text/event-stream' }, path: '/?view=slim' };
    return streamEvents(scriptRequest(`Bearer ${token}`, init), { params: Promise.resolve({ run }) });
  };

/** Asks for many streams at the same time. Returns how often each status came, and a refusal. */
async function many(ask: Ask, count: number, signal: AbortSignal) {
  const answers = await Promise.all(Array.from({ length: count }, () => ask(signal)));
  const refused = answers.find(({ status }) => status !== 200);
  return {
    open: answers.filter(({ status }) => status === 200).length,
    retryAfter: refused?.headers.get('retry-after'),
    status: refused?.status,
    text: (await refused?.text()) ?? '',
  };
}

test('who asks for 100 streams gets 20, reads when to come back, and leaves the rest to others', async () => {
  const gone = new AbortController();
  const ask = pendingOf(await tokenFor(ann, ['read']));
  const answer = await many(ask, 100, gone.signal);
  expect(answer).toMatchObject({ open: 20, status: 429, retryAfter: '5' });
  expect(answer.text).toContain('20 streams of events are open with this token, and no more can be.');
  expect((await pendingOf(await tokenFor(ben, ['read']))(gone.signal)).status).toBe(200);
  gone.abort();
  expect(openStreamCount()).toBe(0);
  const again = new AbortController();
  expect((await ask(again.signal)).status).toBe(200);
  again.abort();
});

test('one share link has 20 streams over all addresses, and one address 20 over all links', async () => {
  const gone = new AbortController();
  const [one, other] = await Promise.all([1, 2].map(() => makeShare(ann, run, { hours: 1, texts: false })));
  const [first, second] = [one?.token ?? '', other?.token ?? ''];
  expect(await many(eventsOf(first, '192.0.2.44'), 60, gone.signal)).toMatchObject({ open: 20, status: 429 });
  expect(await many(eventsOf(first, '192.0.2.45'), 5, gone.signal)).toMatchObject({ open: 0 });
  expect(await many(eventsOf(second, '192.0.2.44'), 5, gone.signal)).toMatchObject({ open: 0 });
  expect(await many(eventsOf(second, '192.0.2.45'), 5, gone.signal)).toMatchObject({ open: 5 });
  gone.abort();
});
