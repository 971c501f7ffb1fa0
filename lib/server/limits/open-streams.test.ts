import { setMaxListeners } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId, RunId } from '@/lib/base/ids';
import type { PersonReach, ShareReach } from '@/lib/base/rights';
import { localActor } from '@/lib/testing/local-actor';
import { counted, openStreamCount, type StreamKind } from './open-streams';

let gone: AbortController;
beforeEach(() => {
  gone = new AbortController();
  setMaxListeners(0, gone.signal);
});
afterEach(() => {
  gone.abort();
  expect(openStreamCount()).toBe(0);
});

async function* silent(): AsyncGenerator<string> {
  yield 'first';
  await new Promise<void>((resolve) => gone.signal.addEventListener('abort', () => resolve()));
}

const person = (userId: string, token?: string): Actor => {
  const reach: PersonReach = { kind: 'person', userId, name: userId, isAdministrator: false, members: new Map() };
  const ofToken = token === undefined ? {} : { token: { id: token, scopes: ['read'] } as const };
  return { by: `${userId}@streams.example`, via: 'web', reach: { ...reach, ...ofToken } };
};

const link = (id: string, address: string): Actor => {
  const run: Omit<ShareReach, 'link' | 'address'> = {
    kind: 'share',
    run: 'r' as RunId,
    project: 'p' as ProjectId,
    texts: false,
  };
  return { by: 'share link', via: 'link', reach: { ...run, link: id, address } };
};

/** Returns how many of `wanted` streams can be opened, and the refusal of the next one. */
function opened(actor: Actor, wanted: number, kind: StreamKind = 'page'): readonly [number, string] {
  for (let count = 0; count < wanted; count++) {
    try {
      counted({ actor, signal: gone.signal, kind }, silent());
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return [count, `${error.code} ${error.details.retryAfter}: ${error.message}`];
    }
  }
  return [wanted, ''];
}

const refusal = (where: string) =>
  `too_many 5: ${where}, and no more can be. Close some pages or scripts that follow runs, then try again.`;

it('a person has 20 streams in browsers, and as many with each token', () => {
  expect(opened(person('ann'), 500)).toEqual([20, refusal('20 streams of events are open in your browsers')]);
  expect(opened(person('ann', 't1'), 500)).toEqual([20, refusal('20 streams of events are open with this token')]);
  expect(opened(person('ann', 't2'), 500)[0]).toBe(20);
  expect(opened(person('ben'), 500)[0]).toBe(20);
});

it('a person with many tokens has 100 streams, calls that wait for runs among them', () => {
  expect(opened(person('ann', 't0'), 500, 'call')[0]).toBe(100);
  expect(opened(person('ann', 't1'), 500)).toEqual([
    0,
    refusal('100 streams of events are open in your browsers and with your tokens'),
  ]);
});

it('a share link has 20 streams wherever it is opened, and an address has 20 with all links', () => {
  expect(opened(link('a', '192.0.2.1'), 500)).toEqual([
    20,
    refusal('20 streams of events are open with this share link'),
  ]);
  expect(opened(link('a', '192.0.2.2'), 500)[0]).toBe(0);
  const words = refusal('20 streams of events are open from this address with share links');
  expect(opened(link('b', '192.0.2.1'), 500)).toEqual([0, words]);
  expect(opened(link('b', '192.0.2.2'), 500)[0]).toBe(20);
});

it('the last 100 streams are for those who have few, so that many who act together do not take all', () => {
  expect(opened(localActor, 500)[0]).toBe(400);
  for (let index = 0; index < 33; index++) {
    const [count, words] = opened(person(`p${index}`), 20);
    expect([count, words]).toEqual([3, expect.stringContaining('only the last 100 are free, for those who have few')]);
  }
  expect(opened(person('last'), 20)[0]).toBe(1);
  expect(opened(person('ann'), 1)).toEqual([0, expect.stringContaining('unavailable undefined: 500 streams are open')]);
});

it('a stream counts until it has ended, was left, or its reader went without reading', async () => {
  async function* short(): AsyncGenerator<string> {
    yield 'only';
  }
  const [ends, left, unread] = [short(), silent(), silent()];
  const mine = { actor: person('ann'), signal: gone.signal };
  for await (const _ of counted(mine, ends));
  for await (const _ of counted(mine, left)) break;
  const reader = new AbortController();
  counted({ ...mine, signal: reader.signal }, unread);
  expect(openStreamCount()).toBe(1);
  reader.abort();
  expect(openStreamCount()).toBe(0);
  counted({ ...mine, signal: reader.signal }, silent());
});

it('a stream that fails counts no longer', async () => {
  async function* broken(): AsyncGenerator<string> {
    yield 'first';
    throw new Error('the database went away');
  }
  const parts = counted({ actor: person('ann'), signal: gone.signal }, broken());
  await parts.next();
  await expect(parts.next()).rejects.toThrow('went away');
  expect(openStreamCount()).toBe(0);
});
