import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('docs/requirements.md lists the tests that hold each requirement', () => {
  const { status } = spawnSync(process.execPath, ['bin/requirements.mjs', '--check']);
  expect(status, 'run node bin/requirements.mjs').toBe(0);
});
