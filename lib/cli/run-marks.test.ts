import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { callCallboard } from '@/lib/testing/callboard';

const folder = mkdtempSync(path.join(tmpdir(), 'callboard-marks-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(path.join(folder, 'lead.md'), '---\nname: lead\nmodel: passthrough\n---\nLead.\n');
const run = (...args: string[]) =>
  callCallboard(['run', folder, '--message', 'Go', '--json', ...args], { CALLBOARD_DATA: folder });

test('a run of the command line has its marks in its first event', async () => {
  const { stdout } = await run('--user', 'ada-7', '--tag', 'nightly', '--tag', 'eu', '--metadata', 'tier=gold=1');
  expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({
    kind: 'run.started',
    marks: { user: 'ada-7', tags: ['nightly', 'eu'], metadata: { tier: 'gold=1' } },
  });
  expect(await run('--metadata', 'gold')).toMatchObject({
    code: 2,
    stderr: '--metadata takes NAME=VALUE, and got "gold".\n',
  });
  expect(await run('--tag', '')).toMatchObject({ code: 2, stderr: '--tag: is empty.\n' });
});
