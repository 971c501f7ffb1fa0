import { expect, test } from 'vitest';
import type { Artifact } from '@/lib/runtime/ports';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { projectArtifacts } from './artifacts';

const { store } = await testDatabase();

const text = (content: string): Artifact => ({ mimeType: 'text/plain', encoding: 'text', content });

test('an artifact of a project comes back as it was saved, with versions from 1', async () => {
  const artifacts = projectArtifacts(store, await storedRun(store));
  expect(await artifacts.load('a')).toBeUndefined();
  expect(await artifacts.save('a', text('one \0 \ud800 ü'), 'run step 1')).toBe(1);
  expect(await artifacts.save('a', { mimeType: 'image/png', encoding: 'base64', content: 'AQID' }, 'run step 2')).toBe(
    2,
  );
  expect(await artifacts.load('a', 1)).toEqual({ name: 'a', version: 1, bytes: 12, ...text('one \0 \ud800 ü') });
  expect(await artifacts.load('a')).toMatchObject({ version: 2, bytes: 3, content: 'AQID' });
  expect(await artifacts.load('a', 3)).toBeUndefined();
  await artifacts.save('B', text('b'), 'run step 3');
  expect((await artifacts.list()).map(({ name, version }) => `${name} ${version}`).sort()).toEqual(['B 1', 'a 2']);
});

test('a save with a key that was there before is the same save', async () => {
  const artifacts = projectArtifacts(store, await storedRun(store));
  expect(await artifacts.save('a', text('x'), 'key')).toBe(1);
  expect(await artifacts.save('a', text('x'), 'key')).toBe(1);
  expect(await artifacts.save('a', text('x'), 'other')).toBe(2);
});

test('saves at once all get versions of their own, and another project sees nothing', async () => {
  const artifacts = projectArtifacts(store, await storedRun(store));
  const versions = await Promise.all(
    Array.from({ length: 12 }, (_, n) => artifacts.save('a', text(`${n}`), `key ${n}`)),
  );
  expect([...versions].sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
  const elsewhere = projectArtifacts(store, await storedRun(store));
  expect(await elsewhere.list()).toEqual([]);
});
