import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { GET as streamPending } from '@/app/api/v1/pending/stream/route';
import { GET as listProjects } from '@/app/api/v1/projects/route';
import { GET as streamEvents } from '@/app/api/v1/runs/[run]/events/route';
import type { Actor } from '@/lib/base/actor';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import { makeShare, revokeShare } from '@/lib/server/accounts/shares';
import { signInWithPassword } from '@/lib/server/accounts/sign-in';
import { hashOfSecret } from '@/lib/server/accounts/token-text';
import { countTry } from '@/lib/server/limits/tries';
import { browserRequest, makePerson, testPassword, withAccounts } from '@/lib/testing/accounts';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { personInBrowser, scriptRequest, tokenFor, withTokens } from '@/lib/testing/token-people';

const { url, store } = await testDatabase();
withAccounts();
withTokens(url);

let run: RunId;
let project: ProjectId;
let boss: Actor;
beforeAll(async () => {
  run = await storedRun(store);
  project = brandAs<ProjectId>((await store.prisma.run.findUniqueOrThrow({ where: { id: run } })).projectId);
  boss = await personInBrowser(store, 'boss@ended.example', { administrator: true });
});

// Only the checks of streams are under the hand of the tests: the database needs real time.
beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => vi.useRealTimers());

/** Each test has an address of its own, because the limits count by address. */
let from = '';
let addresses = 0;
beforeEach(() => {
  from = `192.0.2.${++addresses}`;
});

interface Stream {
  /** Resolves when it ends within ten seconds, as the test's clock says. */
  end(): Promise<void>;
  isOpen(): boolean;
}

async function read(response: Response): Promise<Stream> {
  expect(response.status).toBe(200);
  const reader = response.body?.getReader();
  let isOpen = true;
  const over = (async () => {
    while ((await reader?.read())?.done === false);
    isOpen = false;
  })();
  return {
    async end() {
      await vi.advanceTimersByTimeAsync(10_000);
      await over;
    },
    isOpen: () => isOpen,
  };
}

const follow = (token: string) =>
  streamEvents(scriptRequest(`Bearer ${token}`, { headers: { accept: 'text/event-stream' }, from }), {
    params: Promise.resolve({ run }),
  });

const watch = (request: Request) => streamPending(request, { params: Promise.resolve({}) });

/** A token of the right form that nobody has. */
function wrong(start: string): string {
  const body =
    start +
    BigInt(`0x${randomBytes(32).toString('hex')}`)
      .toString(36)
      .padStart(50, '0');
  return body + createHash('sha256').update(body).digest().readUInt32BE().toString(36).padStart(7, '0');
}

async function tryWrong(start: string): Promise<void> {
  for (let index = 0; index < 35; index++) {
    await listProjects(scriptRequest(`Bearer ${wrong(start)}`, { from }), { params: Promise.resolve({}) });
  }
}

const revokeTokens = () => store.pool.query('UPDATE "ApiToken" SET "revokedAt" = now()');

test('the stream of a revoked token ends, also when its address sent many wrong tokens', async () => {
  const token = await tokenFor(boss, ['read']);
  const stream = await read(await follow(token));
  await tryWrong('cb_');
  await revokeTokens();
  await stream.end();
});

test('the stream of a revoked token ends, also when the token had too many requests', async () => {
  const token = await tokenFor(boss, ['read']);
  const stream = await read(await follow(token));
  for (let done = 0; done < 1_300; done += 100) {
    const tries = Array.from({ length: 100 }, () =>
      countTry(store, 'token', hashOfSecret(token)).catch(() => undefined),
    );
    await Promise.all(tries);
  }
  await revokeTokens();
  await stream.end();
});

test('a stream that goes on is no request, and counts against no limit', async () => {
  const [stays, revoked] = [await tokenFor(boss, ['read']), await makeShare(boss, run, { hours: 1, texts: true })];
  const stream = await read(await follow(stays));
  const other = await read(await follow(revoked.token));
  const points = async () => (await store.pool.query('SELECT key, points FROM "RateCount" ORDER BY key')).rows;
  const before = await points();
  await revokeShare(boss, run, revoked.id);
  await other.end();
  expect(stream.isOpen()).toBe(true);
  expect(await points()).toEqual(before);
});

test('the stream of a revoked share link ends, also when its address sent many wrong links', async () => {
  const link = await makeShare(boss, run, { hours: 1, texts: true });
  const stream = await read(await follow(link.token));
  await tryWrong('cbs_');
  await revokeShare(boss, run, link.id);
  await stream.end();
});

test.each([
  ['lost the role', `DELETE FROM "Member" WHERE "userId" = $1`],
  ['has a lower role', `UPDATE "Member" SET role = 'viewer' WHERE "userId" = $1`],
  ['was deactivated', `UPDATE "auth_user" SET "deactivatedAt" = now() WHERE id = $1`],
  ['signed out', `DELETE FROM "auth_session" WHERE "userId" = $1`],
])('the stream of a person who %s ends', async (what, sql) => {
  const email = `${what.replaceAll(' ', '-')}@ended.example`;
  const { id } = await makePerson(store, email);
  await store.prisma.member.create({
    data: { projectId: project, userId: id, role: 'editor', answers: true, addedBy: 'local' },
  });
  const { cookies } = await signInWithPassword(store, browserRequest(), { email, password: testPassword });
  const stays = await read(await watch(scriptRequest(`Bearer ${await tokenFor(boss, ['read'])}`, { from })));
  const stream = await read(
    await watch(browserRequest(cookies, '/', { headers: { 'sec-fetch-site': 'same-origin' } })),
  );
  expect((await store.pool.query(sql, [id])).rowCount).toBe(1);
  await stream.end();
  expect(stays.isOpen()).toBe(true);
});
