import { expect, test } from 'vitest';
import { brandAs, type TreeHash } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { tooComplex } from '@/lib/cards/project/too-complex';
import { withSecrets } from '@/lib/cards/read/secrets';
import { listCapabilities } from '@/lib/cards/trust/list-capabilities';
import { fakeClock } from '@/lib/testing/fake-clock';
import { rememberReadings } from './run-readings';

const hash = (name: string) => brandAs<TreeHash>(name);
const folder = folderOf({ 'a.md': '---\nname: a\n---\nHi\n' });

function open(isSlow: (folder: Folder) => boolean = () => false) {
  const clock = fakeClock();
  const read: Folder[] = [];
  const readForRun = rememberReadings(
    {
      async readForRun(one) {
        read.push(one);
        if (isSlow(one)) return { ok: false, error: tooComplex(one, undefined, { is: 'time', seconds: 5 }) };
        const parsed = readFolder(one);
        return {
          ok: true,
          value: { parsed, ...withSecrets(parsed, one), capabilities: listCapabilities(one, parsed) },
        };
      },
    },
    clock,
  );
  return { clock, read, readForRun };
}

test('runs of one tree read it once, at the same time or later', async () => {
  const { read, readForRun } = open();
  const [first, second] = await Promise.all([readForRun(hash('t'), folder), readForRun(hash('t'), folder)]);
  const third = await readForRun(hash('t'), folder);
  expect(read).toHaveLength(1);
  expect([second, third]).toEqual([first, first]);
  await readForRun(hash('u'), folder);
  expect(read).toHaveLength(2);
});

test('a tree that could not be read fails at once for a minute, and is tried again after it', async () => {
  const { clock, read, readForRun } = open(() => true);
  const first = await readForRun(hash('t'), folder);
  expect(first).toMatchObject({ ok: false, error: { code: 'too-complex' } });
  await clock.advance(59_000);
  expect(await readForRun(hash('t'), folder)).toEqual(first);
  expect(read).toHaveLength(1);
  await clock.advance(1_000);
  await readForRun(hash('t'), folder);
  expect(read).toHaveLength(2);
});
