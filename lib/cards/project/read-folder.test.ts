import { describe, expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from './read-folder';

const config = 'mcp:\n  servers:\n    time:\n      command: time-server\n      args: [--utc]\n';

const pmo = {
  'agent-cards/PMO-orchestrator.md': `---
type: agent
name: PMO-orchestrator
default: true
agents:
- NY-Project-Manager
- London-Project-Manager
servers: [time]
tools:
  time: [get_time, "*_zone"]
function_tools:
- tools.py:add_one
history_source: none
history_merge_target: none
max_parallel: 128
child_timeout_sec: 120
max_display_instances: 20
model: $system.fast
---
Ask the managers. Today is {{currentDate}}, \${HOME} stays as written.
`,
  'agent-cards/NY-Project-Manager.md': `---
name: NY-Project-Manager
servers: [time]
tools: {time: [get_time]}
tool_only: true
tool_hooks:
  after_tool_call: ../hooks/audit.py:audit
tool_input_schema:
  type: object
  properties:
    project: {type: string, description: which one}
  required: [project]
---
Report on one project in New York.
`,
  'agent-cards/London-Project-Manager.yaml':
    'name: London-Project-Manager\nservers: [time]\ninstruction: Report.\nskills: []\n',
  'agent-cards/tools.py': 'def add_one(x: int) -> int:\n    return x + 1\n',
  'hooks/audit.py': 'async def audit(context):\n    pass\n',
  'fast-agent.yaml': `${config}default_model: passthrough\nmodel_references:\n  system:\n    fast: openai.gpt-5-mini?reasoning=low\n`,
  'callboard.yaml':
    'version: 1\nentry: PMO-orchestrator\ncanvas:\n  positions:\n    agent:PMO-orchestrator: {x: 0, y: 0}\n',
  'skills/report/SKILL.md': '---\nname: report\ndescription: How to report\n---\nShort.\n',
  'README.md': '# A team\n',
  'data/README.md': '---\nlicense: mit\ntags: [projects]\n---\n# Data\n',
  'docker-compose.yml': 'name: x\nservices:\n  db: {image: postgres}\n',
  '.github/workflows/ci.yml': 'name: ci\non: push\njobs: {}\n',
  'history.md': '---USER\nHi\n---ASSISTANT\nHello\n',
};

const workflows = {
  'a.md': '---\nname: a\n---\nA.\n',
  'b.md': '---\nname: b\nuse_history: false\n---\nB.\n',
  'chain.md': '---\ntype: chain\nsequence: [a, b]\ncumulative: true\n---\n',
  'parallel.md': '---\ntype: parallel\nfan_out: [a, b]\nfan_in: null\n---\n',
  'evaluator.md': '---\ntype: evaluator_optimizer\ngenerator: a\nevaluator: b\nmin_rating: EXCELLENT\n---\n',
  'router.md': '---\ntype: router\nagents: [a, chain]\nmodel: playback\n---\n',
  'orchestrator.md': '---\ntype: orchestrator\nagents: [a, b]\nplan_type: iterative\nplan_iterations: 7\n---\n',
  'planner.md': '---\ntype: iterative_planner\nagents: [a, b]\n---\n',
  'maker.md': '---\ntype: Maker\nworker: a\nk: 5\n---\nZählt Stimmen.\n',
  'remote.yaml': 'type: a2a\nname: remote\nurl: https://example.org\ntransport: HTTP+JSON\n',
  'support.md': '---\ntype: agent\n---\n',
};

describe('good folders', () => {
  test('the project office has no issue, and everything is what it is', () => {
    const parsed = readFolder(folderOf(pmo));
    expect(parsed.issues).toEqual([]);
    expect(Object.fromEntries(parsed.roles)).toEqual({
      'agent-cards/PMO-orchestrator.md': 'card',
      'agent-cards/NY-Project-Manager.md': 'card',
      'agent-cards/London-Project-Manager.yaml': 'card',
      'agent-cards/tools.py': 'code',
      'hooks/audit.py': 'code',
      'fast-agent.yaml': 'config',
      'callboard.yaml': 'settings',
      'skills/report/SKILL.md': 'skill',
      'README.md': 'document',
      'data/README.md': 'document',
      'docker-compose.yml': 'document',
      '.github/workflows/ci.yml': 'document',
      'history.md': 'document',
    });
    expect(parsed.cards.map((card) => card.name)).toEqual([
      'London-Project-Manager',
      'NY-Project-Manager',
      'PMO-orchestrator',
    ]);
    expect(parsed.cards[2]).toMatchObject({
      type: 'agent',
      isDefault: true,
      agents: ['NY-Project-Manager', 'London-Project-Manager'],
      tools: { time: ['get_time', '*_zone'] },
      functionTools: [{ entrypoint: 'tools.py:add_one', file: 'agent-cards/tools.py', functionName: 'add_one' }],
      childTimeoutSec: 120,
      historySource: 'none',
      instruction: 'Ask the managers. Today is {{currentDate}}, $' + '{HOME} stays as written.',
    });
    expect(parsed.cards[1]).toMatchObject({
      toolHooks: { form: 'phases', phases: { after_tool_call: { file: 'hooks/audit.py', functionName: 'audit' } } },
    });
    expect(parsed.settings.entry).toBe('PMO-orchestrator');
  });

  test('every workflow type is read with its defaults', () => {
    const parsed = readFolder(folderOf(workflows));
    expect(parsed.issues).toEqual([]);
    expect(parsed.cards.map(({ name, type }) => `${name}:${type}`)).toEqual([
      'a:agent',
      'b:agent',
      'chain:chain',
      'evaluator:evaluator_optimizer',
      'maker:MAKER',
      'orchestrator:orchestrator',
      'parallel:parallel',
      'planner:iterative_planner',
      'remote:a2a',
      'router:router',
      'support:agent',
    ]);
    expect(parsed.cards[4]).toMatchObject({
      k: 5,
      maxSamples: 50,
      matchStrategy: 'exact',
      instruction: 'Zählt Stimmen.',
    });
    expect(parsed.cards[7]).toMatchObject({ planIterations: -1 });
    expect(parsed.cards[10]).toMatchObject({ instruction: undefined, useHistory: true, schemaVersion: 1 });
  });

  test('an empty folder is a folder', () => {
    const parsed = readFolder(new Map());
    expect([parsed.cards, parsed.issues, parsed.config.servers]).toEqual([[], [], {}]);
  });
});

test('an edit of one card is seen, and so is its undoing', () => {
  const before = folderOf(workflows);
  const edited = new Map(before).set('a.md', { kind: 'text', text: '---\nname: z\n---\n' });
  expect(readFolder(before).issues).toEqual([]);
  expect(new Set(readFolder(edited).issues.map((issue) => issue.code))).toEqual(new Set(['missing-agent']));
  expect(readFolder(before).issues).toEqual([]);
});

test('the same file under two names is read as each of them', () => {
  const file = { kind: 'text', text: '---\n---\nHi\n' } as const;
  expect(readFolder(new Map([['x.md', file]])).cards[0]?.name).toBe('x');
  expect(readFolder(new Map([['y.md', file]])).cards[0]?.name).toBe('y');
});

describe('the config', () => {
  test('spells out every kind of server', () => {
    const { config: read, issues } = readFolder(
      folderOf({
        'fast-agent.yaml': `mcp:
  servers:
    short: {target: "npx -y @x/files /data"}
    web: {url: https://example.org/mcp, headers: {A: "1"}, read_timeout_seconds: 5}
    stream: {transport: sse, url: https://example.org/sse, load_on_start: false}
    plain: {command: run, args: [a], env: {KEY: "\${KEY}"}, cwd: data, sampling: {model: x}}
`,
      }),
    );
    expect(issues).toEqual([]);
    expect(read.servers).toMatchObject({
      short: { transport: 'stdio', command: 'npx', args: ['-y', '@x/files', '/data'], loadOnStart: true },
      web: { transport: 'http', url: 'https://example.org/mcp', headers: { A: '1' }, readTimeoutSeconds: 5 },
      stream: { transport: 'sse', loadOnStart: false },
      plain: { command: 'run', env: { KEY: '$' + '{KEY}' }, cwd: 'data', raw: { sampling: { model: 'x' } } },
    });
  });

  test('one faulty server does not hide the others, and is not called unknown', () => {
    const parsed = readFolder(
      folderOf({
        'fast-agent.yaml': 'mcp:\n  servers:\n    bad:\n      args: 5\n    good: {command: x}\n',
        'agent-cards/a.md': '---\nservers: [good, bad]\n---\n',
      }),
    );
    expect(parsed.issues.map(({ line, column, code }) => `${line}:${column} ${code}`)).toEqual([
      '3:5 config-invalid',
      '4:13 config-invalid',
    ]);
    expect(Object.keys(parsed.config.servers)).toEqual(['good']);
  });
});

describe('callboard.yaml', () => {
  test('keeps what is right beside what is wrong', () => {
    const parsed = readFolder(
      folderOf({
        'a.md': '---\nagents: [b]\n---\n',
        'b.md': '---\n---\n',
        'callboard.yaml': `limits: {max_depth: 0, max_tokens: 9}
delegations:
  a:
    b: {timeout_ms: soon}
scripts:
  a: [{turns: [{text: hi}]}]
canvas:
  positions:
    agent:a: {x: 1, y: 2}
    agent:b: {x: left, y: 0}
colour: red
`,
      }),
    );
    expect(parsed.issues.map(({ line, column }) => `${line}:${column}`)).toEqual([
      '1:1',
      '1:21',
      '4:21',
      '10:18',
      '11:1',
    ]);
    expect(parsed.settings).toMatchObject({
      limits: { max_tokens: 9 },
      scripts: { a: [{ turns: [{ text: 'hi' }] }] },
      canvas: { positions: { 'agent:a': { x: 1, y: 2 } } },
    });
  });
});

test.each(['0', '-1', 'free', 'true'])('a cost limit of %s is refused and left out; the others stay', (value) => {
  const parsed = readFolder(
    folderOf({ 'callboard.yaml': `version: 1\nlimits: {max_cost_usd: ${value}, max_depth: 3}\n` }),
  );
  expect(parsed.issues.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual(['settings-invalid 2:24']);
  expect(parsed.settings.limits).toEqual({ max_depth: 3 });
});

test('a file with thousands of faults shows the first and says that there are more', () => {
  const keys = Array.from({ length: 20_000 }, (_, index) => `key${index}: 1`).join('\n');
  const ghosts = Array.from({ length: 20_000 }, (_, index) => `- g${index}`).join('\n');
  for (const text of [
    `---\nservers: []\n${keys}\n---\n`,
    `---\nagents:\n${ghosts}\n---\n`,
    `---\n${'model: a\n'.repeat(20_000)}---\n`,
  ]) {
    const { issues } = readFolder(folderOf({ 'a.md': text }));
    expect(issues).toHaveLength(201);
    expect(issues.at(-1)).toMatchObject({
      code: 'more-issues',
      file: 'a.md',
      line: issues.at(-2)?.line === 201 ? 202 : 203,
    });
  }
});
