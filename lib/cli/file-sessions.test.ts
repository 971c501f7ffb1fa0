import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoredSession } from '@/lib/runtime/ports';
import { fileSessions } from './file-sessions';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sessions-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const key = { id: '../../__proto__', owner: 'lead > expert' };
const session = (version: number, text = 'hi'): StoredSession => ({
  version,
  history: [{ role: 'user', content: [{ type: 'text', text }] }],
  state: JSON.parse('{"__proto__":{"x":1},"constructor":2}'),
  activeGroups: ['experts'],
});

test('a session comes back in another process as it was saved, and only for its delegation', async () => {
  const place = path.join(folder, 'a');
  expect(await fileSessions(place).read(key)).toBeUndefined();
  expect(await fileSessions(place).save(key, session(1), 'w')).toBe('saved');
  expect(JSON.stringify(await fileSessions(place).read(key))).toBe(JSON.stringify(session(1)));
  expect(await fileSessions(place).read({ ...key, owner: 'lead > other' })).toBeUndefined();
  const [name = ''] = await readdir(place);
  expect(name).toMatch(/^[0-9a-f]{40}\.1\.json$/);
  expect((await stat(path.join(place, name))).mode & 0o777).toBe(0o600);
});

test('of processes that save at once one wins, and the same writer may save once more', async () => {
  const place = path.join(folder, 'b');
  for (let version = 1; version <= 20; version++) {
    const writers = ['p', 'q', 'r', 's'];
    const outcomes = await Promise.all(
      writers.map((writer) => fileSessions(place).save(key, session(version, writer), writer)),
    );
    expect(outcomes.toSorted()).toEqual(['conflict', 'conflict', 'conflict', 'saved']);
    const winner = writers[outcomes.indexOf('saved')] ?? '';
    expect(await fileSessions(place).read(key)).toEqual(session(version, winner));
    expect(await fileSessions(place).save(key, session(version, winner), winner)).toBe('saved');
  }
  expect((await readdir(place)).length).toBeLessThanOrEqual(8);
});
