import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callCallboard } from '@/lib/testing/callboard';
import { writeServer } from '@/lib/testing/mcp-servers';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'callboard-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

const callTest = (...args: string[]) =>
  callCallboard(['test', folder, ...args], { CALLBOARD_DATA: path.join(tmpdir(), 'callboard-test-data') });

const guard = (more: string) => `export async function check(ctx, args, next) {
  ${more}
  return await next(args);
}
`;
const files = {
  'agent-cards/lead.md':
    '---\nname: lead\nservers: [clock]\nfunction_tools: [../tools.ts:add]\ntool_hooks: [../guard.ts:check]\n---\nLead.\n',
  'tools.ts': '/** Adds. */\nexport function add(a: number, b: number): number { return a + b; }\n',
  'guard.ts': guard(''),
  'fast-agent.yaml': 'mcp:\n  servers:\n    clock: { command: node, args: [server.mjs] }\n',
  'callboard.yaml': `version: 1
scripts:
  lead:
    - turns:
        - calls: [{ tool: clock__now, arguments: { tz: UTC } }, { tool: add, arguments: { a: 2, b: 3 } }]
        - text: 'It is {{result[1]}}, and 2 + 3 is {{result[2]}}.'
`,
  'tests/noon.fixture.yaml': `version: 1
message: What time is it?
expect:
  answer: { contains: [noon, '5'] }
  calls:
    - { tool: clock__now, arguments: { tz: UTC }, times: 1 }
  hooks:
    - { hook: guard.ts:check, tool: add }
  limits: { model_calls: 2, time_ms: 600000 }
`,
};

async function recordedProject() {
  write(files);
  await writeServer(folder, "server.registerTool('now', { inputSchema: { tz: z.string() } }, () => text('noon'));");
  return await callTest('--update');
}

test('a test is recorded with --update, and then passes without a model and without its server', async () => {
  const recorded = await recordedProject();
  expect(recorded).toMatchObject({ code: 0, stdout: 'passed  noon (live)\n\n1 test: 1 passed, 0 failed\n' });
  rmSync(path.join(folder, 'starts'));
  // Without its script, a model would be asked that nobody serves.
  write({ 'callboard.yaml': 'version: 1\n' });
  write({ 'fast-agent.yaml': `default_model: openai.gpt-4o\n${files['fast-agent.yaml']}` });
  const replayed = await callTest();
  expect(replayed).toMatchObject({ code: 0, stdout: 'passed  noon (replay)\n\n1 test: 1 passed, 0 failed\n' });
  expect(existsSync(path.join(folder, 'starts'))).toBe(false);
  const [head = ''] = readFileSync(path.join(folder, 'tests/noon.recording.jsonl'), 'utf8').split('\n');
  expect(JSON.parse(head)).toMatchObject({ recording: 1, model_calls: 2 });
});

test('hooks and function tools run in a replay, and their changes are reported', async () => {
  await recordedProject();
  const hook = 'hooks: [{ hook: guard.ts:check, tool: clock__now, denied: false }]';
  write({
    'tests/noon.fixture.yaml': `version: 1\nmessage: What time is it?\nexpect: { ${hook}, order: [clock__now, add] }\n`,
  });
  expect(await callTest()).toMatchObject({ code: 0 });
  const hook2 = 'guard.ts:check around clock__now lets the call through at least once';
  write({ 'guard.ts': guard("if (ctx.serverName === 'clock') throw new Error('not today');") });
  expect(await callTest()).toMatchObject({
    code: 1,
    stdout: `FAILED  noon (replay)
  hooks
    expected: ${hook2}
    got:      it ran once, changed something once, stopped the call once

1 test: 0 passed, 1 failed
`,
  });
  write({ 'guard.ts': guard(''), 'tools.ts': 'export function subtract(a: number): number { return a; }\n' });
  expect(await callTest()).toMatchObject({ code: 1, stdout: expect.stringContaining('tools.ts') });
});

test('results are JSON and JUnit for other programs, and a faulty test does not hide the others', async () => {
  await recordedProject();
  write({ 'tests/other.fixture.yaml': 'version: 1\nmessage: Hi\nexpect: { answer: { contains: [none] } }\n' });
  write({ 'tests/bad.fixture.yaml': 'version: 1\nmesage: Hi\n' });
  write({ 'tests/other.recording.jsonl': readFileSync(path.join(folder, 'tests/noon.recording.jsonl'), 'utf8') });
  const report = path.join(folder, 'report.xml');
  const { code, stdout } = await callTest('--json', '--junit', report);
  expect(code).toBe(1);
  const { results } = JSON.parse(stdout);
  expect(results.map(({ name, status, problem }: Record<string, string>) => [name, status, problem])).toEqual([
    ['bad', 'broken', expect.stringContaining("tests/bad.fixture.yaml:1:1: The test has no 'message'.")],
    ['noon', 'passed', undefined],
    ['other', 'failed', undefined],
  ]);
  expect(results[2].findings).toContainEqual({
    what: 'answer',
    outcome: 'failed',
    expected: 'contains: none',
    got: 'It is noon, and 2 + 3 is 5.',
  });
  const xml = readFileSync(report, 'utf8');
  expect(xml).toContain('<testsuite name="callboard" tests="3" failures="1" errors="1">');
  expect(xml).toContain('<failure message="answer: expected contains: none; got It is noon, and 2 + 3 is 5.">');
});

test('a rubric is skipped with the reason where no model can judge it', async () => {
  await recordedProject();
  write({
    'tests/noon.fixture.yaml': `${files['tests/noon.fixture.yaml']}  rubric: It is polite.\njudge: passthrough\n`,
  });
  const { code, stdout } = await callTest();
  expect(code).toBe(0);
  expect(stdout).toContain(
    "  rubric, skipped\n    expected: It is polite.\n    got:      model 'passthrough' is a test model and cannot judge\n",
  );
});

test('a folder without tests, an unknown test and a missing recording are reported', async () => {
  write({ 'lead.md': '---\nname: lead\nmodel: passthrough\n---\nLead.\n' });
  expect(await callTest()).toMatchObject({ code: 2, stderr: expect.stringContaining('has no tests') });
  write({ 'tests/echo.fixture.yaml': 'version: 1\nmessage: Hi\nexpect: { answer: { equals: Hi } }\n' });
  expect(await callTest('--name', 'ekho')).toMatchObject({
    code: 2,
    stderr: "There is no test 'ekho'. Tests: echo.\n",
  });
  expect(await callTest()).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(
      "There is no tests/echo.recording.jsonl. Run 'callboard test --update --name echo'",
    ),
  });
  expect(await callTest('--live')).toMatchObject({ code: 0 });
  expect(existsSync(path.join(folder, 'tests/echo.recording.jsonl'))).toBe(false);
  write({ 'tests/echo.recording.jsonl': 'nonsense\n' });
  const checked = await callCallboard(['check', folder]);
  expect(checked).toMatchObject({ code: 1, stdout: expect.stringContaining('tests/echo.recording.jsonl:1:1') });
});
