import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFolder } from '@/lib/cards/project/read-folder';
import { runProblems } from '@/lib/runtime/request/run-problem';
import { callCallboard, startCallboard } from '@/lib/testing/callboard';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

/** `check` exits 0 only for folders that `run` accepts, except for workflows. */

let root = '';

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-agree-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const card = (name: string, fields = '') => `---\nname: ${name}\nmodel: passthrough\n${fields}---\nWork.\n`;
const tool = card('lead', 'function_tools: [tools.ts:add]\n');
const pythonHook = card('lead', 'tool_hooks:\n  - hooks.py:audit\n');
const audit = 'async def audit(ctx, args, call_next):\n    return await call_next(args)\n';

interface Case {
  readonly files: Readonly<Record<string, string>>;
  /** True if the commands are started as processes. */
  readonly isStarted?: true;
  /** Options for both commands. */
  readonly flags?: readonly string[];
  /** Options for check only. */
  readonly also?: readonly string[];
  /** A part of the output of check. `undefined`: both commands accept the folder. */
  readonly says?: string;
  /** A warning for a folder that both commands accept. */
  readonly warns?: string;
}

const cases: Readonly<Record<string, Case>> = {
  'one agent': { files: { 'lead.md': card('lead') } },
  'TypeScript that can be loaded': {
    isStarted: true,
    files: { 'lead.md': tool, 'tools.ts': 'export function add(args: { a: number }) { return args.a; }\n' },
  },
  'TypeScript with a syntax error': {
    files: { 'lead.md': tool, 'tools.ts': 'export function add(args: { a: number }) { return args.a +; }\n' },
    says: 'tools.ts:1:',
  },
  'an import of a file that is not there': {
    files: { 'lead.md': tool, 'tools.ts': "import { one } from './gone';\nexport const add = () => one;\n" },
    says: "'./gone' is not a file of the project",
  },
  'a file that raises when it is loaded': {
    files: { 'lead.md': tool, 'tools.ts': "export function add() { return 1; }\nthrow new Error('not today');\n" },
    also: ['--load'],
    says: 'not today',
  },
  'Python that can be loaded': { files: { 'lead.md': pythonHook, 'hooks.py': audit }, flags: ['--python'] },
  'Python with a syntax error': {
    files: { 'lead.md': pythonHook, 'hooks.py': `${audit}    retrun =\n` },
    flags: ['--python'],
    says: 'hooks.py:3:',
  },
  'Python that imports a module that is not there': {
    files: { 'lead.md': pythonHook, 'hooks.py': `import gone_module\n${audit}` },
    flags: ['--python'],
    also: ['--load'],
    says: 'gone_module',
  },
  'a model with a variable that nobody gives': {
    files: { 'lead.md': `---\nname: lead\nmodel: nobody.\${CALLBOARD_TEST_MODEL}\n---\n` },
    says: "No provider is known for model 'nobody.",
  },
  'a variable that nobody gives': {
    files: { 'lead.md': card('lead', `description: "\${CALLBOARD_TEST_WORD} and \${CALLBOARD_TEST_OTHER:more}"\n`) },
    warns: "The card of 'lead' asks for the variable CALLBOARD_TEST_WORD",
  },
  'an agent whose folder is not there': {
    files: { 'lead.md': card('lead', 'cwd: nowhere\n') },
    says: 'lead.md:4:1 error',
  },
  'several agents and no default': {
    files: { 'a.md': card('a'), 'b.md': card('b') },
    warns: "a run begins at 'a'",
  },
  'several agents, and one is asked for': {
    files: { 'a.md': card('a'), 'b.md': card('b') },
    flags: ['--agent', 'b'],
  },
  'no model, and one is named for the run': {
    files: { 'lead.md': '---\nname: lead\n---\nWork.\n' },
    flags: ['--model', 'passthrough'],
  },
  'a model for the run that nobody serves': {
    files: { 'lead.md': '---\nname: lead\n---\nWork.\n' },
    flags: ['--model', 'nobody.knows'],
    says: "No provider is known for model 'nobody.knows'",
  },
  'an agent that is not there': {
    files: { 'a.md': card('a') },
    flags: ['--agent', 'c'],
    says: "There is no agent 'c'",
  },
  'no card at all': {
    files: { 'notes.md': 'Nothing here.\n' },
    says: 'notes.md:1:1 error The folder has no agent cards',
  },
  'misspelt fields': {
    files: { 'a.md': '---\nname: a\nmodle: passthrough\n---\nWork.\n' },
    says: "Did you mean 'model'",
  },
};

describe('check and run agree', () => {
  test.each(Object.entries(cases))('%s', async (name, { files, isStarted, flags = [], also = [], says, warns }) => {
    const callboard = isStarted ? startCallboard : callCallboard;
    const folder = path.join(root, name.replaceAll(' ', '-'));
    await mkdir(folder, { recursive: true });
    for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, file), text);
    const checked = await callboard(['check', folder, ...flags, ...also]);
    const run = await callboard(['run', folder, '--message', 'hello', ...flags]);
    expect([checked.code, run.code]).toEqual(says === undefined ? [0, 0] : [1, 2]);
    expect(checked.stdout).toContain(says ?? warns ?? ' 0 errors, ');
  });
});

const names = ['a', 'b', 'c', 'd'] as const;
const anyCard = fc.record({
  name: fc.constantFrom(...names),
  agents: fc.subarray([...names], { maxLength: 2 }),
  role: fc.constantFrom('', '', 'default: true\n', 'tool_only: true\n'),
  type: fc.constantFrom('agent', 'agent', 'agent', 'agent', 'agent', 'chain'),
  slip: fc.constantFrom('', '', '', '', '', '', 'modle: x\n', 'messages: none.json\n'),
});

test('of random folders, what check passes, a run with a scripted model does not refuse', async () => {
  let passed = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(anyCard, { maxLength: 4, selector: ({ name }) => name }),
      fc.option(fc.constantFrom(...names), { nil: undefined }),
      fc.option(fc.constantFrom(...names), { nil: undefined }),
      async (cards, entry, agent) => {
        const files = cards.map(({ name, agents, role, type, slip }, index): [string, string] => {
          // Mostly existing children. An agent calls later ones only, or most folders would have cycles.
          const there = agents.filter((child) => cards.findIndex((one) => one.name === child) > index || slip !== '');
          const field = type === 'chain' ? 'sequence' : 'agents';
          const children = there.length > 0 || type === 'chain' ? `${field}: [${there}]\n` : '';
          return [`${index}.md`, card(name, `type: ${type}\n${children}${role}${slip}`)];
        });
        if (entry !== undefined) files.push(['callboard.yaml', `version: 1\nentry: ${entry}\n`]);
        const folder = new Map(files.map(([file, text]) => [file, { kind: 'text' as const, text }]));
        const parsed = readFolder(folder);
        const issues = [...parsed.issues, ...runProblems(parsed, { agent, model: undefined })];
        if (issues.some((issue) => issue.severity === 'error')) return;
        passed += 1;
        const model = scriptedModel(Object.fromEntries(names.map((name) => [name, 'done'])));
        const { outcome } = await runGraph({ parsed, folder, model, request: { agent } });
        expect(outcome).toMatchObject({ status: 'completed', answer: 'done' });
      },
    ),
    { numRuns: 300 },
  );
  expect(passed).toBeGreaterThan(10);
});
