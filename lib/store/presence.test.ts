import { beforeEach, expect, test } from 'vitest';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import type { PresencePlace } from '@/lib/base/presence';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { openStore } from './database';
import { runEventsChannel } from './events';
import { openNotifications } from './notifications';
import { presenceKey, presenceLeaseSeconds, putPresence, readPresent, removePresence } from './presence';

const { url, store } = await testDatabase();
/** A second web process. */
const other = openStore(url);
const project = brandAs<ProjectId>('p');
const ana = 'ana@example.com';
const ben = 'ben@example.com';
const place: PresencePlace = { page: 'editor', selected: [] };

beforeEach(async () => {
  await store.pool.query('TRUNCATE "Presence"');
});

const at = (window: string, more: Partial<PresencePlace> = {}) => ({
  window,
  draft: 'main',
  place: { ...place, ...more },
});
const list = async (by = ana, from = store) =>
  (await readPresent(from, project, { ...localActor, by })).people.map(({ id, you, selected }) => ({
    id,
    you,
    selected,
  }));

/** Makes time pass for a window. */
async function pass(window: string, seconds: number): Promise<void> {
  await store.pool.query(
    `UPDATE "Presence" SET "seenAt" = "seenAt" - make_interval(secs => $2), since = since - make_interval(secs => $2)
     WHERE "window" = $1`,
    [window, seconds],
  );
}

test('who is in a project is seen from every web process, and leaves at once', async () => {
  await putPresence(store, project, ana, at('a', { selected: ['agent:lead'] }));
  await putPresence(other, project, ben, at('b'));
  expect(await list(ben, other)).toEqual([
    { id: 'a', you: false, selected: ['agent:lead'] },
    { id: 'b', you: true, selected: [] },
  ]);
  await removePresence(store, project, ben, 'a');
  expect(await list()).toHaveLength(2);
  await removePresence(other, project, ana, 'a');
  expect(await list()).toEqual([{ id: 'b', you: false, selected: [] }]);
});

test('a window that is silent for the time of a lease has gone, and its row with the next write', async () => {
  await putPresence(store, project, ana, at('a'));
  await putPresence(store, project, ben, at('b'));
  await pass('b', presenceLeaseSeconds - 2);
  expect(await list()).toHaveLength(2);
  await pass('b', 2);
  expect(await list()).toEqual([{ id: 'a', you: true, selected: [] }]);
  await putPresence(other, brandAs<ProjectId>('q'), ana, at('c'));
  const { rows } = await store.pool.query('SELECT "window" FROM "Presence" ORDER BY "window"');
  expect(rows).toEqual([{ window: 'a' }, { window: 'c' }]);
});

test('windows of another project and windows with the same id of another person are apart', async () => {
  await putPresence(store, project, ana, at('a', { selected: ['agent:lead'] }));
  await putPresence(store, project, ben, at('a', { selected: ['agent:writer'] }));
  await putPresence(store, brandAs<ProjectId>('q'), ana, at('a', { selected: ['agent:secret'] }));
  expect(await list()).toEqual([
    { id: 'a', you: true, selected: ['agent:lead'] },
    { id: 'a', you: false, selected: ['agent:writer'] },
  ]);
});

test('the time of a field begins when it is entered or taken, and goes on while it is edited', async () => {
  const since = async () => (await readPresent(store, project, localActor)).people[0]?.since ?? 0;
  const aged = async () => {
    await pass('a', 5);
    return await since();
  };
  await putPresence(store, project, ana, at('a', { editing: 'agent:lead#Prompt' }));
  const entered = await aged();
  await putPresence(store, project, ana, at('a', { editing: 'agent:lead#Prompt', selected: ['agent:lead'] }));
  expect(await since()).toBe(entered);
  await putPresence(store, project, ana, at('a', { editing: 'agent:lead#Prompt', taken: true }));
  expect(await since()).toBeGreaterThan(entered);
  const taken = await aged();
  await putPresence(store, project, ana, at('a', { editing: 'agent:lead#Name' }));
  expect(await since()).toBeGreaterThan(taken);
});

test('other windows are woken only by changes, not by a window that reports that it is still open', async () => {
  const listening = openNotifications(url, runEventsChannel);
  let woken = 0;
  let connected: (() => void) | undefined;
  const connection = new Promise<void>((resolve) => {
    connected = resolve;
  });
  listening.subscribe(presenceKey(project), (text) => {
    if (text === undefined) connected?.();
    else woken++;
  });
  await connection;
  /** Notifications come in order, so those of the steps before have come when this one has. */
  const settled = async () => {
    await new Promise<void>((resolve) => {
      const stop = listening.subscribe('mark', () => {
        stop();
        resolve();
      });
      void store.pool.query('SELECT pg_notify($1, $2)', [runEventsChannel, 'mark']);
    });
    return woken;
  };
  await putPresence(store, project, ana, at('a'));
  expect(await settled()).toBe(1);
  await putPresence(store, project, ana, at('a'));
  expect(await settled()).toBe(1);
  await putPresence(store, project, ana, at('a', { file: 'a.md' }));
  expect(await settled()).toBe(2);
  await removePresence(store, project, ana, 'a');
  await removePresence(store, project, ana, 'a');
  expect(await settled()).toBe(3);
  await listening.close();
});

test('a person with many windows has the newest of them', async () => {
  for (let count = 0; count < 25; count++) await putPresence(store, project, ana, at(`w${count}`));
  expect(await list()).toHaveLength(20);
  expect(await list()).toContainEqual({ id: 'w24', you: true, selected: [] });
});
