import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callCallboard, startCallboard } from '@/lib/testing/callboard';

/** Checks the output and the exit code of commands. Those of `start` are processes. */

const noKey = { OPENAI_API_KEY: '', OPENAI_BASE_URL: '' };
const callboard = (...args: string[]) => callCallboard(args, noKey);
const start = (...args: string[]) => startCallboard(args, noKey);

let root: string;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-cli-'));
});

afterAll(() => rm(root, { recursive: true, force: true }));

/** Writes a folder and returns its path. */
async function folder(name: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  for (const [file, content] of Object.entries(files)) {
    const where = path.join(root, name, file);
    await mkdir(path.dirname(where), { recursive: true });
    await writeFile(where, content);
  }
  return path.join(root, name);
}

const fine = {
  'agent-cards/echo.md': '---\nname: echo\nmodel: passthrough\n---\nSay it again.\n',
  'agent-cards/other.md': '---\nname: other\n---\n',
  'callboard.yaml': 'version: 1\nentry: echo\n',
};

/** 30 faults in one folder. Each is after its `«code»`, which is removed from the file. */
const faulty: Readonly<Record<string, string>> = {
  'agent-cards/01.md': '---\nname: n01\n  «yaml-syntax»description: x\n---\n',
  'agent-cards/02.md': '---\nname: n02\n«unknown-field»colour: red\n---\n',
  'agent-cards/03.md': '---\nname: n03\nservers: «wrong-type»time\n---\n',
  'agent-cards/04.md': '---\nname: n04\nagents:\n  - kid\n  - «missing-agent»ghost\n---\n',
  'agent-cards/05.md': '---\nname: n05\ntype: «unknown-type»agnet\n---\n',
  'agent-cards/06.md': '---\nname: «bad-name»2026-01-02\n---\n',
  'agent-cards/07.md': '---\nname: n07\ndefault: true\n«default-and-tool-only»tool_only: true\n---\n',
  'agent-cards/08.md': '---\nname: n08\nservers: [time, «unknown-server»tim]\n---\n',
  'agent-cards/09.md': '---\nname: n09\nagents: [kid]\nmax_parallel: «out-of-range»0\n---\n',
  'agent-cards/10.md': '---\nname: n10\nagents: [kid, «duplicate-child»kid]\n---\n',
  'agent-cards/11.md': '---\nname: n11\nagents: [«cycle»kid3]\n---\n',
  'agent-cards/13.md': '---\nname: n13\nmodel: «model-invalid»gpt-5.high\n---\n',
  'agent-cards/14.md': '---\nname: n14\nfunction_tools: [«function-file-missing»none.py:add]\n---\n',
  'agent-cards/15.md': '---\nname: n15\nfunction_tools: [tools.py:add, «function-missing»tools.py:sub]\n---\n',
  'agent-cards/16.md': '---\nname: n16\nfunction_tools: [«code-outside»../../x.py:add]\n---\n',
  'agent-cards/17.md': '---\nname: n17\ntool_hooks:\n  «hook-phase»before_tools: hooks.py:audit\n---\n',
  'agent-cards/18.md': '---\nname: n18\ntool_hooks:\n  before_tool_call: «hook-not-async»hooks.py:slow\n---\n',
  'agent-cards/19.md': '---\nname: n19\nmessages: «history-missing»none.json\n---\n',
  'agent-cards/20.md': '---\nname: n20\ntype: chain\nsequence: «missing-field»[]\n---\n',
  'agent-cards/21.md':
    '---\nname: n21\ntype: evaluator_optimizer\ngenerator: kid\nevaluator: kid2\nmin_rating: «bad-value»SUPERB\n---\n',
  'agent-cards/22.md': '---\nname: n22\n«instruction-twice»instruction: x\n---\ny\n',
  'agent-cards/23.md': '---\nname: n23\ntool_input_schema:\n  type: «schema-invalid»string\n---\n',
  'agent-cards/24.md': '---\nname: n24\nmcp_connect:\n  - target: «mcp-connect-flags»uvx docs --auth secret\n---\n',
  'agent-cards/25.md': '---\nname: n25\ndescription: «yaml-tag»!!python/object:os.system x\n---\n',
  'agent-cards/12.md': '---\nname: n12\nmodel: playback\n«duplicate-key»model: passthrough\n---\n',
  'agent-cards/26.md': '---\r\nname: n26\r\n\r\ncommands:\r\n  go: «command-invalid»h\r\n---\r\n',
  'agent-cards/27.md': '---\nname: «duplicate-name»kid\n---\nAnother of that name.\n',
  'agent-cards/28.yaml': '«yaml-not-mapping»- a\n- b\n',
  'agent-cards/29.md': '«front-matter-not-closed»---\nname: n29\n\nDo it.\n',
  'fast-agent.yaml':
    'mcp:\n  servers:\n    time: {command: time}\n    pipe:\n      command: x\n      transport: «config-invalid»pipe\n',
};
const companions = {
  'agent-cards/00-kid.md': '---\nname: kid\n---\nAnswer.\n',
  'agent-cards/00-kid2.md': '---\nname: kid2\n---\nAnswer.\n',
  'agent-cards/zz-kid3.md': '---\nname: kid3\nagents: [n11]\n---\nAnswer.\n',
  'agent-cards/tools.py': 'def add(x: int) -> int:\n    return x\n',
  'agent-cards/hooks.py': 'async def audit(ctx, args, call_next):\n    pass\n\ndef slow(ctx):\n    pass\n',
};

describe('check', () => {
  test('30 faults in a folder: each named with its file, line and column, and exit 1', async () => {
    const expected: string[] = [];
    const files: Record<string, string> = { ...companions };
    for (const [file, marked] of Object.entries(faulty)) {
      const [before = '', code = '', after = ''] = marked.split(/«(.*?)»/s);
      const lines = before.split('\n');
      expected.push(`${file}:${lines.length}:${(lines.at(-1) ?? '').length + 1} ${code}`);
      files[file] = before + code.slice(code.length) + after;
    }
    const ended = await start('check', await folder('faulty', files), '--json');
    const report: {
      cards: { file: string; name: string; type: string }[];
      issues: { file: string; line: number; column: number; code: string; message: string }[];
    } = JSON.parse(ended.stdout);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toBe('');
    expect(report.issues.map((one) => `${one.file}:${one.line}:${one.column} ${one.code}`).sort()).toEqual(
      expected.sort(),
    );
    expect(report.issues.every((one) => /\.$/.test(one.message))).toBe(true);
    // A broken card does not hide others.
    expect(report.cards).toContainEqual({ file: 'agent-cards/00-kid.md', name: 'kid', type: 'agent' });
  });

  test('a clean folder, the sample included: exit 0', async () => {
    const ended = await callboard('check', path.resolve('examples/pmo'), '--json');
    expect(JSON.parse(ended.stdout)).toEqual({
      cards: [
        { file: 'agent-cards/London-Project-Manager.md', name: 'London-Project-Manager', type: 'agent' },
        { file: 'agent-cards/NY-Project-Manager.md', name: 'NY-Project-Manager', type: 'agent' },
        { file: 'agent-cards/PMO-orchestrator.md', name: 'PMO-orchestrator', type: 'agent' },
      ],
      issues: [],
    });
    expect(ended.code).toBe(0);
  });

  test('a single card, or the folder of the cards, is judged with the servers of the folder above', async () => {
    const card = await callboard('check', path.resolve('examples/pmo/agent-cards/PMO-orchestrator.md'), '--json');
    expect([card.code, JSON.parse(card.stdout)]).toEqual([
      0,
      { cards: [{ file: 'PMO-orchestrator.md', name: 'PMO-orchestrator', type: 'agent' }], issues: [] },
    ]);
    const cards = await callboard('check', path.resolve('examples/pmo/agent-cards'));
    expect([cards.code, cards.stdout]).toEqual([0, '3 cards, 0 errors, 0 warnings and notes\n']);
  });

  test('odd bytes and large files are issues, not failures: exit 1', async () => {
    const odd = await folder('odd', {
      'agent-cards/utf16.md': Buffer.from('\uFEFF---\nname: a\n---\n', 'utf16le'),
      'agent-cards/latin1.md': Buffer.from('---\nname: caf\u00e9\n---\n', 'latin1'),
      'agent-cards/zeros.md': '---\nname: a\0\n---\n',
      'agent-cards/large.md': `---\nname: large\n---\n${'word '.repeat(1_000_000)}`,
      'data.bin': new Uint8Array(12_000_000),
    });
    const ended = await callboard('check', odd);
    expect(ended.code).toBe(1);
    expect(ended.stdout.match(/^\S+ \S+|\[[a-z0-9-]+\]$/gm)?.join(' ')).toBe(
      [
        'agent-cards/large.md:1:1 error [card-too-large]',
        'agent-cards/latin1.md:2:10 error [not-utf8]',
        'agent-cards/utf16.md:1:1 error [utf16]',
        'agent-cards/zeros.md:2:8 error [nul-characters]',
        '0 cards,',
      ].join(' '),
    );
  });

  test('a file that is no card, by whatever it holds: its place, and exit 1; a file of settings is judged', async () => {
    const given = await folder('odd-files', {
      'notes.md': 'Text.\n',
      'post.md': '---\ntitle: A post\nlayout: post\n---\n',
      'list.yaml': '- a\n',
      'word.yaml': 'hello\n',
      'empty.yaml': '',
      'empty.md': '',
      'SKILL.md': '---\nname: s\ndescription: d\n---\n',
      'tools.py': 'def f(): pass\n',
      'callboard.yaml': 'version: 1\nlimits: {max_depth: no}\n',
    });
    const files = ['notes.md', 'post.md', 'list.yaml', 'word.yaml', 'empty.yaml', 'empty.md', 'SKILL.md', 'tools.py'];
    const { code, stdout } = await callboard('check', ...files.map((file) => path.join(given, file)));
    expect(code).toBe(1);
    const lines = stdout.trim().split('\n');
    expect(lines.slice(0, -1).map((line) => line.replace(/^.*odd-files\//, ''))).toEqual([
      "notes.md:1:1 error 'notes.md' is not a card: it has no front matter. Begin it with the card's fields between two --- lines. [not-a-card]",
      "post.md:1:1 error 'post.md' is not a card: its fields are of another kind (title, layout). Write a card's fields, such as name, model and instruction. [not-a-card]",
      "list.yaml:1:1 error 'list.yaml' is not a card: it holds a list, and a card is a mapping. Write key: value lines. [not-a-card]",
      "word.yaml:1:1 error 'word.yaml' is not a card: it holds the string 'hello', and a card is a mapping. Write key: value lines. [not-a-card]",
      "empty.yaml:1:1 error 'empty.yaml' is not a card: it is empty, and a card is a mapping. Write key: value lines. [not-a-card]",
      "empty.md:1:1 error 'empty.md' is not a card: it has no front matter. Begin it with the card's fields between two --- lines. [not-a-card]",
      "SKILL.md:1:1 error 'SKILL.md' is not a card: it is a skill. Name the card that uses it. [not-a-card]",
      "tools.py:1:1 error 'tools.py' is not a card: cards are .md and .yaml files. Name one of them, or the folder. [not-a-card]",
    ]);
    const settings = await callboard('check', path.join(given, 'callboard.yaml'));
    expect([settings.code, settings.stdout]).toEqual([1, expect.stringContaining('callboard.yaml:2:')]);
  });

  test('Python that is off: its syntax is checked, a warning says what a run needs, and nothing of it runs', async () => {
    const hook = '---\nname: lead\nmodel: passthrough\ntool_hooks:\n  - hooks.py:audit\n---\n';
    const code = "open('ran.txt', 'w')\nasync def audit(ctx, args, call_next):\n    return await call_next()\n";
    const fine = await folder('python-fine', { 'lead.md': hook, 'hooks.py': code });
    const off = await callboard('check', fine);
    expect([off.code, off.stdout]).toEqual([
      0,
      expect.stringMatching(/\nlead\.md:5:5 warning Hook .* \[python-off\]\n/),
    ]);
    expect(existsSync(path.join(fine, 'ran.txt'))).toBe(false);
    const broken = await callboard(
      'check',
      await folder('python-broken', { 'lead.md': hook, 'hooks.py': `${code}x = (\n` }),
    );
    expect([broken.code, broken.stdout]).toEqual([1, expect.stringContaining('hooks.py:4:')]);
  });

  test('a variable that a server asks for, in the config or in the secrets file, is named unless it is given', async () => {
    const given = await folder('variables', {
      'lead.md': '---\nname: lead\nmodel: passthrough\nservers: [time]\n---\n',
      'config/fast-agent.yaml': `mcp:\n  servers:\n    time: {command: node, args: ["\${ZONE_OF_TEST}"]}\n`,
      'config/fast-agent.secrets.yaml': `mcp: {servers: {time: {env: {TOKEN: "\${WORD_OF_TEST}"}}}}\n`,
    });
    const named = async (...flags: string[]) =>
      (await callboard('check', given, ...flags)).stdout.match(/asks for the variable \w+/g);
    expect(await named()).toEqual(['asks for the variable WORD_OF_TEST', 'asks for the variable ZONE_OF_TEST']);
    expect(await named('--env', 'ZONE_OF_TEST')).toEqual(['asks for the variable WORD_OF_TEST']);
  });

  test('no model: a warning, for a run may name one', async () => {
    const ended = await callboard('check', await folder('no-model', { 'lead.md': '---\nname: lead\n---\n' }));
    expect([ended.code, ended.stdout]).toEqual([
      0,
      expect.stringContaining("lead.md:1:1 warning Agent 'lead' names no model. Set 'model' in lead.md,"),
    ]);
  });

  test('a working folder outside the project: an error where there is none', async () => {
    const lead = '---\nname: lead\nmodel: passthrough\nservers: [near, far]\n---\n';
    const server = (name: string, cwd: string) => `    ${name}: {command: node, args: [server.mjs], cwd: "${cwd}"}\n`;
    const config = `mcp:\n  servers:\n${server('near', root)}${server('far', `${root}/none`)}`;
    const ended = await callboard('check', await folder('far', { 'cards/lead.md': lead, 'fast-agent.yaml': config }));
    expect([ended.code, ended.stdout]).toEqual([
      1,
      expect.stringMatching(/^fast-agent\.yaml:4:1 error 'cwd' of server 'far'/),
    ]);
  });

  test.each([
    ['nothing named', [], 'Name at least one card folder'],
    [
      'a path that is not there',
      ['no/such/folder'],
      "There is no 'no/such/folder': its folder does not exist. Make it first, or check the name.",
    ],
    ['an unknown option', ['--yaml', '.'], "There is no option '--yaml' here."],
  ])('could not run: %s: exit 2', async (_, args, sentence) => {
    const ended = await callboard('check', ...args);
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toContain(sentence);
    expect(ended.stderr).not.toContain('    at ');
  });
});

describe('run', () => {
  test('an answer: on stdout, exit 0; with --json the events, ending in run.finished', async () => {
    const given = await folder('fine', fine);
    const plain = await callboard('run', given, '--message', 'Hello');
    expect([plain.code, plain.stdout]).toEqual([0, 'Hello\n']);

    const json = await start('run', given, '--message', 'Hello', '--json');
    const events = eventsOf(json.stdout);
    expect(json.code).toBe(0);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    expect(events[0]).toMatchObject({ kind: 'run.started', entryAgent: 'echo', message: 'Hello' });
    expect(events.at(-1)).toMatchObject({ kind: 'run.finished', status: 'completed', answer: 'Hello' });
  });

  test('--deltas prints text as it comes between the events, or the whole text each time if the delegation says so', async () => {
    const given = await folder('deltas', {
      'agent-cards/lead.md': '---\nname: lead\nagents: [kid]\ndefault: true\n---\n',
      'agent-cards/kid.md': '---\nname: kid\n---\n',
      'callboard.yaml': `version: 1
delegations: {lead: {kid: {forward_events: {incremental: false}}}}
scripts:
  lead: [{turns: [{calls: [{tool: agent__kid}]}, {text: All is well.}]}]
  kid: [{turns: [{text: Two words.}]}]
`,
    });
    const { stdout } = await callboard('run', given, '--message', 'Hello', '--json', '--deltas');
    const events = eventsOf(stdout);
    const deltas = events.filter(({ kind }) => kind === 'model.delta');
    expect(deltas).toMatchObject([
      { instanceName: 'kid[1]', text: 'Two ', incremental: false },
      { instanceName: 'kid[1]', text: 'Two words.', incremental: false },
      { instanceName: 'lead', text: 'All ', incremental: true },
      { instanceName: 'lead', text: 'is ' },
      { instanceName: 'lead', text: 'well.' },
    ]);
    const stamped = events.filter(({ kind }) => kind !== 'model.delta');
    expect(stamped.map(({ seq }) => seq)).toEqual(stamped.map((_, index) => index + 1));
  });

  test('a run of a model that nobody serves: exit 2 before any step, and still a run.finished', async () => {
    const given = await folder('fails', { 'agent-cards/a.md': '---\nname: a\nmodel: openai.gpt-5-mini\n---\n' });
    const ended = await callboard('run', given, '--message', 'Hello', '--json');
    expect(ended.code).toBe(2);
    expect(eventsOf(ended.stdout).at(-1)).toMatchObject({ kind: 'run.finished', status: 'failed' });
    const plain = await callboard('run', given, '--message', 'Hello');
    expect([plain.code, plain.stdout]).toEqual([2, '']);
    expect(plain.stderr).toContain('OPENAI_API_KEY');
  });

  test.each([
    ['no folder', ['--message', 'Hello'], 'Name one folder'],
    ['a folder that is not there', ['no/such', '--message', 'Hello'], 'no/such'],
    ['no message', ['examples/pmo'], 'Give a message'],
    ['an unknown agent', ['examples/pmo', '--message', 'Hello', '--agent', 'nobody'], "no agent 'nobody'"],
    ['a folder without cards', ['docs', '--message', 'Hello'], 'no agent cards'],
  ])('could not run: %s: exit 2', async (_, args, sentence) => {
    const ended = await callboard('run', ...args);
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toContain(sentence);
    expect(ended.stderr).not.toContain('    at ');
  });
});

test.each([['--help'], ['-h'], ['help'], ['check', '--help'], ['run', '--help'], ['run', 'examples/pmo', '-h']])(
  'how it is used, and exit 0: %s %s %s',
  async (...args) => {
    const ended = await callboard(...args);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toContain('callboard run FOLDER --message TEXT');
  },
);

test('an unknown command: how it is used, and exit 2', async () => {
  const ended = await callboard('strat');
  expect([ended.code, ended.stdout]).toEqual([2, '']);
  expect(ended.stderr).toContain("Unknown command 'strat'");
});

function eventsOf(stdout: string): { seq: number; kind: string }[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
