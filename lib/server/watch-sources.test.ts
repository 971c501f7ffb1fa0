import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { watchSources } from './watch-sources';

const folder = mkdtempSync(path.join(tmpdir(), 'sources-'));
mkdirSync(path.join(folder, 'runtime/deep'), { recursive: true });
const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) end();
  rmSync(folder, { recursive: true, force: true });
});

it('tells of sources that were saved, once for those saved together, and of nothing that no worker runs', async () => {
  const told: string[] = [];
  ends.push(watchSources(folder, (file) => told.push(file)));
  for (const name of ['loop.test.ts', '.loop.ts.swp', 'loop.ts~']) writeFileSync(path.join(folder, name), 'x');
  writeFileSync(path.join(folder, 'a.ts'), '1');
  writeFileSync(path.join(folder, 'runtime/deep/b.ts'), '2');
  await expect.poll(() => told.length).toBe(1);
  writeFileSync(path.join(folder, 'runtime/deep/b.ts'), '3');
  await expect.poll(() => told).toEqual([expect.stringMatching(/a\.ts|b\.ts/), 'runtime/deep/b.ts']);
});
