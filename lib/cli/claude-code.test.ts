import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callCallboard } from '@/lib/testing/callboard';

/** A folder of Claude Code agents on the command line: it is checked and runs as it is. */

let root = '';

const files: Readonly<Record<string, string>> = {
  'CLAUDE.md': '# Rules\n\nBe brief.\n',
  '.claude/agents/checker.md':
    '---\nname: checker\ndescription: Checks. Use it when: a release is near\ntools: Read\nmodel: inherit\n---\nYou check.\n',
  '.claude/agents/team/writer.md': '---\nname: writer\ndescription: Writes notes.\ncolor: blue\n---\nYou write.\n',
  'callboard.yaml': `version: 1
scripts:
  main:
    - turns:
        - calls:
            - tool: agent__checker
              arguments: { text: "Check 2.1" }
            - tool: agent__writer
              arguments: { text: "Write 2.1" }
        - text: Both are done.
  checker:
    - turns:
        - text: No bugs.
  writer:
    - turns:
        - text: The notes.
`,
};

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-claude-code-'));
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
});
afterAll(() => rm(root, { recursive: true, force: true }));

test('check reads the folder, also when its agents are named', async () => {
  const { stdout, code } = await callCallboard(['check', root]);
  expect(stdout).toContain('Tools of Claude Code itself cannot run here: Read.');
  expect(stdout).toContain('3 cards, 0 errors');
  expect(code).toBe(0);
  const named = await callCallboard(['check', path.join(root, '.claude/agents')]);
  expect(named.stdout).toMatch(/\b2 cards, 0 errors/);
  expect(named.code).toBe(0);
});

test('import --report names each file and field, and stores nothing', async () => {
  const { stdout, code } = await callCallboard(['import', root, '--report']);
  expect(stdout).toMatch(/^Claude Code: 4 files, 1 of them lose something\n/);
  expect(stdout).toContain('\nCLAUDE.md: instruction of main\n');
  expect(stdout).toContain('.claude/agents/checker.md:4 tools cannot run here: Tools of Claude Code itself');
  expect(stdout).toContain('\n  works: name, description, model\n');
  expect(code).toBe(0);
  const { stdout: json } = await callCallboard(['import', root, '--report', '--json']);
  const report = JSON.parse(json);
  expect(report.files.map(({ file }: { file: string }) => file)).toEqual(Object.keys(files).sort());
  const without = await callCallboard(['import', root]);
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('--report')]);
});

test("of a person's own agents in the home folder only these are read", async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'callboard-home-'));
  const agent = '---\nname: mine\ndescription: Mine.\n---\nYou help.\n';
  const card = '---\ntype: agent\nname: other\n---\nA card elsewhere.\n';
  for (const [file, text] of Object.entries({ '.claude/agents/mine.md': agent, 'work/agent-cards/other.md': card })) {
    await mkdir(path.dirname(path.join(home, file)), { recursive: true });
    await writeFile(path.join(home, file), text);
  }
  for (const named of ['.claude', '.claude/agents']) {
    const { stdout, code } = await callCallboard(['check', path.join(home, named)], { HOME: home });
    expect(stdout).toContain('1 cards, 0 errors');
    expect(stdout).not.toContain('AgentCards');
    expect(code).toBe(0);
  }
  await rm(home, { recursive: true, force: true });
});

test('a run begins at the main agent, which calls the others, and writes nothing', async () => {
  const { stdout, stderr } = await callCallboard(['run', root, '--message', 'Ship 2.1']);
  expect(stdout).toContain('Both are done.');
  expect(stderr).toContain('main/checker[1] done');
  expect(stderr).toContain('main/writer[1] done');
  for (const [file, text] of Object.entries(files)) expect(await readFile(path.join(root, file), 'utf8')).toBe(text);
});
