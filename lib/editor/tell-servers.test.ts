import { expect, test } from 'vitest';
import type { KnownServers, ServerNews } from '@/lib/base/known-servers';
import type { Told } from './services';
import { createTeller } from './tell-servers';

const news = (from: string): ServerNews => ({ news: 'renamed', from, to: `${from}2` });
const empty: KnownServers = {};

/** Each request waits for `answer`. */
function open() {
  const requests: { readonly news: readonly string[]; readonly answer: (told: Told) => void }[] = [];
  const adopted: KnownServers[] = [];
  let reads = 0;
  const teller = createTeller(
    {
      readServers: async () => {
        reads += 1;
        return empty;
      },
      tellServers: (sent) =>
        new Promise((answer) => {
          requests.push({ news: sent.map((one) => (one.news === 'renamed' ? one.from : '')), answer });
        }),
    },
    (known) => adopted.push(known),
  );
  return { ...teller, requests, adopted, reads: () => reads };
}

test('news are sent in order, one request at a time, and only the last answer is shown', async () => {
  const { tell, requests, adopted } = open();
  const first = tell([news('a')]);
  await tell([news('b')]);
  await tell([news('c')]);
  expect(requests.map((one) => one.news)).toEqual([['a']]);
  requests[0]?.answer({ ok: true, known: {} });
  await expect.poll(() => requests.length).toBe(2);
  expect(adopted).toEqual([]);
  requests[1]?.answer({ ok: true, known: empty });
  await first;
  expect(requests.map((one) => one.news)).toEqual([['a'], ['b', 'c']]);
  expect(adopted).toEqual([empty]);
});

test('news without an answer are sent again before others are read, and refused news are dropped', async () => {
  const { tell, load, requests, adopted, reads } = open();
  const first = tell([news('a')]);
  requests[0]?.answer({ ok: false, again: true });
  await first;
  const again = load();
  expect([requests[1]?.news, reads()]).toEqual([['a'], 0]);
  requests[1]?.answer({ ok: false, again: false });
  await again;
  await load();
  expect([requests.length, reads(), adopted]).toEqual([2, 1, [empty]]);
});
