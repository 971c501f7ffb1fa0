import { expect, test } from 'vitest';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import type { StoredSession } from '@/lib/runtime/ports';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { findSession, findSessions, projectSessions } from './sessions';

const { store } = await testDatabase();

const session = (version: number, text = 'hi\0\ud800'): StoredSession => ({
  version,
  history: [{ role: 'user', content: [{ type: 'text', text }] }],
  state: { city: 'Bern', list: [1, null] },
  activeGroups: ['experts'],
});

test('a session comes back as it was saved, for later runs of the project', async () => {
  const sessions = projectSessions(store, await storedRun(store));
  const key = { id: 's\0', owner: 'lead > expert' };
  expect(await sessions.read(key)).toBeUndefined();
  expect(await sessions.save(key, session(1), 'run step')).toBe('saved');
  expect(await sessions.read(key)).toEqual(session(1));
});

test('state with names that objects have of themselves comes back as it was saved', async () => {
  const sessions = projectSessions(store, await storedRun(store));
  const state = JSON.parse('{"__proto__":{"x":1},"constructor":2,"toString":[3]}');
  for (const id of ['__proto__', 'constructor']) {
    const key = { id, owner: 'lead > __proto__' };
    expect(await sessions.read(key)).toBeUndefined();
    expect(await sessions.save(key, { ...session(1), state }, 'w')).toBe('saved');
    expect(JSON.stringify((await sessions.read(key))?.state)).toBe(JSON.stringify(state));
  }
});

test('an id means nothing to another delegation or another project', async () => {
  const sessions = projectSessions(store, await storedRun(store));
  await sessions.save({ id: 's', owner: 'lead > expert' }, session(1), 'w');
  expect(await sessions.read({ id: 's', owner: 'lead > other' })).toBeUndefined();
  expect(await sessions.save({ id: 's', owner: 'lead > other' }, session(2), 'w')).toBe('conflict');
  const elsewhere = projectSessions(store, await storedRun(store));
  expect(await elsewhere.read({ id: 's', owner: 'lead > expert' })).toBeUndefined();
});

test('a save goes over the version before it only; the same writer may save once more', async () => {
  const sessions = projectSessions(store, await storedRun(store));
  const key = { id: 's', owner: 'lead > expert' };
  expect(await sessions.save(key, session(2), 'a')).toBe('conflict');
  expect(await sessions.save(key, session(1), 'a')).toBe('saved');
  expect(await sessions.save(key, session(1, 'again'), 'a')).toBe('saved');
  expect(await sessions.save(key, session(1), 'b')).toBe('conflict');
  const both = await Promise.all(['a', 'b'].map((writer) => sessions.save(key, session(2, writer), writer)));
  expect(both.sort()).toEqual(['conflict', 'saved']);
});

test('a session is exported as one document', async () => {
  const run = await storedRun(store);
  const { projectId } = await store.prisma.run.findUniqueOrThrow({ where: { id: run } });
  const project = brandAs<ProjectId>(projectId);
  const sessions = projectSessions(store, run);
  await sessions.save({ id: 'a', owner: 'lead > expert' }, session(1), 'w');
  await sessions.save({ id: 'b/c', owner: 'lead > other' }, session(1), 'w');
  // Both may be of one millisecond, so their order says nothing.
  const listed = (await findSessions(store, project, 10)).map(({ id, owner, version }) =>
    [id, owner, version].join(' '),
  );
  expect(listed.sort()).toEqual(['a lead > expert 1', 'b/c lead > other 1']);
  const { createdAt, updatedAt, ...exported } = await findSession(store, project, 'b/c');
  expect(exported).toEqual({ id: 'b/c', owner: 'lead > other', ...session(1) });
  await expect(findSession(store, project, 'gone')).rejects.toMatchObject({ code: 'not_found' });
});
