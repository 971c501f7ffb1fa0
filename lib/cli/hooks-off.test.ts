import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callCallboard } from '@/lib/testing/callboard';

/** Hooks in TypeScript, in Python and without code, in a real sandbox: what is switched off does not run, and check says so. */

let root = '';
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-off-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const files = {
  'agent-cards/lead.md': `---
name: lead
function_tools: [../tools.ts:add]
tool_hooks: [../hooks.ts:typed]
lifecycle_hooks: {on_start: start.py:begin}
---
Add.
`,
  'agent-cards/start.py': 'async def begin(ctx):\n    raise ValueError("not now")\n',
  'tools.ts': 'export function add({ a, b }: { a: number; b: number }) {\n  return a + b;\n}\n',
  'hooks.ts': "export async function typed(ctx: any, args: any, next: any) {\n  return 'typed hook';\n}\n",
  'hooks.py': 'async def piped(ctx, args, call_next):\n    return "python hook"\n',
};
const settings = (run: string, agent: string, off: string) => `version: 1
run_hooks: [${run}]
agent_hooks: {lead: [${agent}]}
${off}
scripts:
  lead:
    - turns:
        - calls: [{tool: add, arguments: {a: 40, b: 2}}]
        - text: "{{results}}"
`;
const allOff = 'hooks_off: {lead: {tool_hooks: ["../hooks.ts:typed"], on_start: start.py:begin}}';
const startOff = 'hooks_off: {lead: {on_start: start.py:begin}}';

async function answerOf(name: string, text: string) {
  const folder = path.join(root, name);
  await mkdir(path.join(folder, 'agent-cards'), { recursive: true });
  for (const [file, content] of Object.entries({ ...files, 'callboard.yaml': text })) {
    await writeFile(path.join(folder, file), content);
  }
  const run = await callCallboard(['run', folder, '--message', 'Begin.', '--python']);
  return { folder, run, answer: run.stdout.trim() };
}

const blockOff = '{block: {}, enabled: false}';
const pipedOff = '{code: hooks.py:piped, enabled: false}';

describe('a hook that is switched off', () => {
  test('does not run, of whatever kind it is, and check warns of each', async () => {
    const { folder, run, answer } = await answerOf('off', settings(blockOff, pipedOff, allOff));
    const checked = await callCallboard(['check', folder, '--python']);
    expect([run.code, answer, checked.code]).toEqual([0, '42', 0]);
    for (const hook of ["'block' of 'run_hooks'", "'hooks.py:piped'", "'../hooks.ts:typed'", "'start.py:begin'"]) {
      expect(checked.stdout).toContain(`Hook ${hook}`);
    }
  });

  test.each([
    ['without code', settings('{block: {}}', pipedOff, allOff), "Error: Tool 'add' is not allowed here."],
    ['in Python', settings(blockOff, 'hooks.py:piped', allOff), 'python hook'],
    ['in TypeScript', settings(blockOff, pipedOff, startOff), 'typed hook'],
  ])('runs again once it is on: a hook %s', async (name, text, said) => {
    expect((await answerOf(name.replaceAll(' ', '-'), text)).answer).toBe(said);
  });

  test('of a phase runs again once it is on', async () => {
    const { run } = await answerOf('phase', settings(blockOff, pipedOff, ''));
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('not now')]);
  });

  test('needs no file and no Python: check and run agree', async () => {
    const folder = path.join(root, 'gone');
    await mkdir(folder, { recursive: true });
    await writeFile(
      path.join(folder, 'lead.md'),
      '---\nname: lead\nmodel: passthrough\ntool_hooks: [gone.py:guard]\n---\n',
    );
    await writeFile(
      path.join(folder, 'callboard.yaml'),
      'version: 1\nhooks_off: {lead: {tool_hooks: ["gone.py:guard"]}}\n',
    );
    const checked = await callCallboard(['check', folder]);
    const run = await callCallboard(['run', folder, '--message', 'hello']);
    expect([checked.code, run.code]).toEqual([0, 0]);
  });
});
