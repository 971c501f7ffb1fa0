import { afterEach, expect, test, vi } from 'vitest';
import type { ProjectId } from '@/lib/base/ids';
import { readNotices } from '@/lib/server/person-notices';
import { findAudit } from '@/lib/store/audit';
import { askForPush, claimMirrors, type MirrorEnd, putMirror, settleMirror } from '@/lib/store/mirrors';
import { localActor } from '@/lib/testing/local-actor';
import { noticeShop } from '@/lib/testing/notice-shop';
import { testDatabase } from '@/lib/testing/postgres';
import { tellRecorded } from './tell';

const { url, store } = await testDatabase();
vi.stubEnv('DATABASE_URL', url);
const { project, team, wordsOf, clear } = noticeShop(store);

afterEach(async () => {
  await clear();
  await store.pool.query('DELETE FROM "Mirror"');
});

const again: MirrorEnd = { state: 'again', afterMs: 5_000, error: 'The remote answered 503.' };

async function mirrored(): Promise<ProjectId> {
  const id = await project();
  await putMirror(store, id, { url: 'https://git.example.org/shop.git', user: 'git', secret: 'T' }, localActor);
  return id;
}

/** A worker takes the push that is due, which ends as `end` says. */
async function pushed(end: MirrorEnd): Promise<void> {
  await store.pool.query(`UPDATE "Mirror" SET "nextAt" = now() WHERE "nextAt" IS NOT NULL`);
  const [due] = await claimMirrors(store, 1);
  if (due === undefined) throw new Error('No push is due');
  await settleMirror(store, due, end);
  await tellRecorded(store);
}

test('a mirror that needs somebody sends admins a notice with the page that says more', async () => {
  const id = await mirrored();
  const { ada, ed, rae, vic } = await team(id);
  await pushed({ state: 'failed', error: 'The remote refused main: [31msecret words of the remote' });
  await askForPush(store, id);
  await pushed({ state: 'diverged', error: 'The remote has commits that are not from here: main (1234567).' });
  expect((await readNotices(ada, { after: undefined, limit: 9 })).notices).toMatchObject([
    {
      ...{ kind: 'mirror.failed', href: `/p/${id}/revisions` },
      words: 'The mirror of Shop at git.example.org has something that is not from here, so nothing was pushed',
    },
    { words: 'Callboard could not push what is live in Shop to its mirror at git.example.org' },
  ]);
  for (const other of [ed, rae, vic]) expect(await wordsOf(other)).toEqual([]);
});

test('a push that is tried again sends no notice, and the last failed attempt sends one', async () => {
  const id = await mirrored();
  const { ada } = await team(id);
  await pushed(again);
  await pushed(again);
  expect(await wordsOf(ada)).toEqual([]);
  await pushed({ state: 'failed', error: 'Given up after 3 attempts. The remote answered 503.' });
  await tellRecorded(store);
  expect(await wordsOf(ada)).toEqual([
    'Callboard could not push what is live in Shop to its mirror at git.example.org',
  ]);
  const states = (await findAudit(store, { project: id, limit: 20 }, undefined))
    .filter(({ action }) => action === 'mirror.failed')
    .map(({ body }) => JSON.parse(body).state);
  expect(states).toEqual(['failed', 'retrying']);
});

test('without accounts the one person gets a notice of a failed mirror', async () => {
  await mirrored();
  await pushed({ state: 'failed', error: 'The remote answered 404.' });
  expect(await wordsOf(localActor)).toHaveLength(1);
});
