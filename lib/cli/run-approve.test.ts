import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { callCallboard } from '@/lib/testing/callboard';

const folder = mkdtempSync(path.join(tmpdir(), 'callboard-approve-'));
afterAll(() => rmSync(folder, { recursive: true }));

const files = {
  'lead.md': '---\nname: lead\nfunction_tools: [tools.ts:send]\n---\nLead.\n',
  'tools.ts': `/** Sends. */
export function send(to: string): string { return 'sent to ' + to; }
`,
  'callboard.yaml': `version: 1
approvals: { rules: [{ tools: [send], effect: ask }] }
scripts:
  lead:
    - turns:
        - calls: [{ tool: send, arguments: { to: ana } }]
        - text: '{{result[1]}}'
`,
};
for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
const run = (...args: string[]) =>
  callCallboard(['run', folder, '--message', 'Go', ...args], { CALLBOARD_DATA: folder });

test('a run of the command line approves every call, denies it, or asks, and without a terminal nobody is asked', async () => {
  expect(await run('--approve', 'all')).toMatchObject({ code: 0, stdout: 'sent to ana\n' });
  expect((await run('--approve', 'none')).stdout).not.toContain('sent');
  const alone = await run();
  expect(alone.stdout).not.toContain('sent');
  expect(alone.stderr).toContain('Nobody can be asked');
  expect(await run('--approve', 'maybe')).toMatchObject({ code: 2, stderr: '--approve takes all, none or ask.\n' });
});
