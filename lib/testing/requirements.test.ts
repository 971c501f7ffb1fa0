import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('docs/requirements.md lists the tests that hold each requirement', () => {
  const { status } = spawnSync(process.execPath, ['bin/requirements.mjs', '--check']);
  expect(status, 'run node bin/requirements.mjs').toBe(0);
});

test('each attack has a test', () => {
  const page = readFileSync('docs/requirements.md', 'utf8');
  const attacks = [...page.matchAll(/^\| (S\d+) \| .* \| (\d+) \|$/gm)];
  expect(attacks).toHaveLength(16);
  expect(attacks.filter(([, , tests]) => tests === '0').map(([, id]) => id)).toEqual([]);
});

test('each requirement of teams has a test', () => {
  const page = readFileSync('docs/requirements.md', 'utf8');
  const held = new Set([...page.matchAll(/^\| (F-\d+) \| .+ \|$/gm)].map(([, id]) => id));
  const needed = Array.from({ length: 25 }, (_, index) => `F-${String(index + 1).padStart(2, '0')}`);
  expect(needed.filter((id) => !held.has(id))).toEqual([]);
});
