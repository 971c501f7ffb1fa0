import { describe, expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { hookChain } from '@/lib/graph/hook-chain';
import { type ClashAnswer, findClashes, type Merged, mergeSlice } from './merge-slice';
import { type Slice, sliceFolder, sliceProject } from './slice-project';

const files = {
  'agent-cards/lead.md': `---
name: lead
default: true
agents: [helper, stranger]
servers: [time]
tools: {time: [get_*]}
tool_hooks: [../hooks.ts:guard]
skills: [skills/style]
---
Ask helper. {{file:rules.md}}
`,
  'agent-cards/helper.md': '---\nname: helper\nfunction_tools: [../tools.ts:add]\n---\nHelp.\n',
  'agent-cards/stranger.md': '---\nname: stranger\nfunction_tools: [../secret.ts:add]\n---\nStay.\n',
  'hooks.ts':
    "import { log } from './log';\nexport async function guard(ctx, args, next) {\n  log(args);\n  return next(args);\n}\n",
  'log.ts': 'export const log = (value: unknown) => value;\n',
  'tools.ts': 'export const add = (args: { a: number }) => args.a + 1;\n',
  'secret.ts': 'export const add = (args: { a: number }) => args.a;\n',
  'rules.md': 'Rules.\n',
  'skills/style/SKILL.md': '---\nname: style\ndescription: Style.\n---\nShort.\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    time: {url: "http://127.0.0.1:9/mcp"}\n    other: {command: other}\n',
  'callboard.yaml': `version: 1
approvals:
  agents: {helper: ask, stranger: deny}
  rules:
    - {tools: [time__*], agents: [lead, stranger], effect: ask}
    - {tools: [agent__helper], effect: ask, limit_s: 60}
    - {tools: [shell*], effect: deny}
delegations:
  lead: {helper: {timeout_ms: 5000}}
  stranger: {helper: {timeout_ms: 9000}}
agent_hooks:
  helper: [audit.ts:note, {clamp: {argument: a, max: 3}}]
hooks:
  ../hooks.ts:guard: {on_error: skip}
  audit.ts:note: {timeout_ms: 100}
external_tools:
  sign: {description: Sign it., agents: [helper, stranger]}
tool_groups:
  lead: {groups: {clock: {tools: [time__*]}}}
scripts:
  helper: [{turns: [{text: done}]}]
canvas:
  notes: [{id: n1, text: Read me., x: 0, y: 0}]
  groups: [{id: g1, title: Pair, members: [agent:lead, agent:helper, note:n1]}]
`,
  'audit.ts': 'export async function note(ctx, args, next) {\n  return next(args);\n}\n',
};
const source = folderOf(files);
const read = (folder: Folder) => ({ folder, parsed: readFolder(folder) });

function sliceOf(...chosen: Parameters<typeof sliceProject>): Slice {
  const slice = sliceProject(...chosen);
  if (!slice.ok) throw new Error(slice.error.message);
  return slice.value;
}

const pair = () =>
  sliceOf(read(source), new Set(['agent-cards/lead.md', 'agent-cards/helper.md']), new Set(['note:n1']));

function merge(here: Folder, answers?: ReadonlyMap<string, ClashAnswer>): Merged & { folder: Folder } {
  const merged = mergeSlice(read(here), pair(), answers);
  if (!merged.ok) throw new Error(merged.error.message);
  const after = new Map(here);
  for (const [path, file] of merged.value.files) after.set(path, file);
  return { ...merged.value, folder: after };
}

function chainOf(folder: Folder, name: string) {
  const parsed = readFolder(folder);
  const card = parsed.cards.find((one) => one.name === name);
  if (card === undefined) throw new Error(`no ${name}`);
  return hookChain(card, parsed).map(({ spec, missing, policy }) => ({ spec, missing, policy }));
}

const guard = [{ spec: '../hooks.ts:guard', missing: false, policy: { on_error: 'skip' } }];

describe('what belongs to agents', () => {
  test('is all that they need, and nothing of others', () => {
    expect([...pair().folder.keys()].sort()).toEqual([
      'agent-cards/helper.md',
      'agent-cards/lead.md',
      'audit.ts',
      'callboard.yaml',
      'fast-agent.yaml',
      'hooks.ts',
      'log.ts',
      'rules.md',
      'skills/style/SKILL.md',
      'tools.ts',
    ]);
    const { config, settings } = readFolder(pair().folder);
    expect(Object.keys(config.servers)).toEqual(['time']);
    expect(settings.approvals.agents).toEqual({ helper: 'ask' });
    expect(settings.delegations).toEqual({ lead: { helper: expect.objectContaining({ timeout_ms: 5000 }) } });
  });

  test('comes with the switches of its hooks', () => {
    const folder = new Map(source);
    const text = files['callboard.yaml']
      .replace('[audit.ts:note, {clamp: {argument: a, max: 3}}]', '[{code: audit.ts:note, enabled: false}]')
      .concat('hooks_off:\n  lead: {tool_hooks: ["../hooks.ts:guard"]}\n  stranger: {on_start: "../hooks.ts:guard"}\n');
    folder.set('callboard.yaml', { kind: 'text', text });
    const slice = sliceOf(read(folder), new Set(['agent-cards/lead.md', 'agent-cards/helper.md']), new Set());
    const here = folderOf({
      'agent-cards/lead.md': '---\nname: lead\n---\nLead.\n',
      'hooks.ts': 'export const other = 1;\n',
    });
    const merged = mergeSlice(read(here), slice);
    if (!merged.ok) throw new Error(merged.error.message);
    const after = new Map(here);
    for (const [path, file] of merged.value.files) after.set(path, file);
    const parsed = readFolder(after);
    const off = parsed.cards.flatMap((card) =>
      hookChain(card, parsed).map((entry) => `${card.name} ${entry.name} ${entry.off ? 'off' : 'on'}`),
    );
    expect(off.sort()).toEqual(['helper note off', expect.stringMatching(/^lead-?\w* guard off$/)]);
    expect(JSON.stringify(parsed.settings.hooks_off)).not.toContain('stranger');
  });

  test('can be opened as a project of its own', () => {
    const serious = readFolder(pair().folder).issues.filter(({ severity }) => severity === 'error');
    expect(serious.filter(({ message }) => !message.includes("'stranger'"))).toEqual([]);
  });

  test('does not have what a secrets file or bytes say, and names it', () => {
    const folder = new Map(source);
    folder.set('fastagent.secrets.yaml', { kind: 'text', text: 'mcp: {servers: {time: {headers: {a: hidden}}}}\n' });
    folder.set('skills/style/logo.png', { kind: 'stored', hash: 'ab', size: 9 });
    const slice = sliceOf(read(folder), new Set(['agent-cards/lead.md']), new Set());
    expect(slice.beside).toMatchObject({ files: ['skills/style/logo.png'], secrets: ['time'] });
    expect(JSON.stringify([...slice.folder])).not.toContain('hidden');
    const merged = mergeSlice(read(new Map()), slice);
    expect(merged.ok && merged.value.missing).toEqual([
      expect.stringContaining('skills/style/logo.png'),
      expect.stringContaining("secrets of server 'time'"),
      expect.stringContaining("'helper'"),
      expect.stringContaining("'stranger'"),
    ]);
  });
});

describe('a copy in the same project', () => {
  const { folder, agents, missing, files: added } = merge(source);
  const { settings, cards, issues } = readFolder(folder);

  test('has the guards, options and approvals of the original', () => {
    expect(agents).toEqual(['helper-2', 'lead-2']);
    expect(chainOf(folder, 'lead-2')).toEqual(guard);
    expect(chainOf(folder, 'helper-2')).toEqual(chainOf(source, 'helper'));
    expect(settings.approvals.agents).toEqual({ helper: 'ask', stranger: 'deny', 'helper-2': 'ask' });
    expect(settings.delegations['lead-2']).toEqual({ 'helper-2': settings.delegations.lead?.helper });
    expect(settings.tool_groups['lead-2']).toEqual(settings.tool_groups.lead);
    expect(settings.scripts['helper-2']).toEqual(settings.scripts.helper);
    expect(settings.external_tools.sign?.agents).toEqual(['helper', 'stranger', 'helper-2']);
  });

  test('is under the same rules, which are not doubled', () => {
    expect(settings.approvals.rules).toEqual([
      { tools: ['time__*'], agents: ['lead', 'stranger', 'lead-2'], effect: 'ask' },
      { tools: ['agent__helper', 'agent__helper-2'], effect: 'ask', limit_s: 60 },
      { tools: ['shell*'], effect: 'deny' },
    ]);
  });

  test('shares files and servers, and is not the default', () => {
    expect([...added.keys()].sort()).toEqual(['agent-cards/helper-2.md', 'agent-cards/lead-2.md', 'callboard.yaml']);
    const lead = cards.find(({ name }) => name === 'lead-2');
    expect(lead).toMatchObject({ isDefault: false, agents: ['helper-2', 'stranger'], servers: ['time'] });
    expect(missing).toEqual([]);
    expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('brings its notes, and the group with the copies', () => {
    expect(settings.canvas.notes.map(({ id, x }) => [id, x])).toEqual([
      ['n1', 0],
      ['n1-2', 40],
    ]);
    expect(settings.canvas.groups.map(({ members }) => members)).toEqual([
      ['agent:lead', 'agent:helper', 'note:n1'],
      ['agent:lead-2', 'agent:helper-2', 'note:n1-2'],
    ]);
  });
});

describe('a copy in another project', () => {
  const here = folderOf({
    'agent-cards/helper.md': '---\nname: helper\ndefault: true\n---\nMine.\n',
    'tools.ts': 'export const add = () => 0;\n',
    'fastagent.config.yaml': 'mcp:\n  servers:\n    time: {url: "http://127.0.0.1:8/mcp"} # mine\n',
  });

  test('asks about servers and files that are others here', () => {
    expect(findClashes(read(here), pair())).toEqual([
      { kind: 'server', name: 'time' },
      { kind: 'file', name: 'tools.ts' },
    ]);
    expect(findClashes(read(source), pair())).toEqual([]);
    expect(findClashes(read(new Map()), pair())).toEqual([]);
  });

  test('keeps both, and what came uses what came', () => {
    const { folder, agents, missing } = merge(here);
    const { cards, config, settings, issues } = readFolder(folder);
    expect(agents).toEqual(['helper-2', 'lead']);
    expect(cards.find(({ name }) => name === 'lead')).toMatchObject({
      agents: ['helper-2', 'stranger'],
      servers: ['time-2'],
      tools: { 'time-2': ['get_*'] },
    });
    expect(cards.find(({ name }) => name === 'helper-2')).toMatchObject({
      functionTools: [expect.objectContaining({ file: 'tools-2.ts' })],
    });
    expect(config.file).toBe('fastagent.config.yaml');
    expect([config.servers.time?.url, config.servers['time-2']?.url]).toEqual([
      'http://127.0.0.1:8/mcp',
      'http://127.0.0.1:9/mcp',
    ]);
    expect(folder.get('fastagent.config.yaml')).toMatchObject({ text: expect.stringContaining('# mine') });
    expect(chainOf(folder, 'lead')).toEqual(guard);
    expect(settings.approvals).toMatchObject({
      agents: { 'helper-2': 'ask' },
      rules: [
        { tools: ['time-2__*'], agents: ['lead'], effect: 'ask' },
        { tools: ['agent__helper-2'], effect: 'ask', limit_s: 60 },
        { tools: ['shell*'], agents: ['helper-2', 'lead'], effect: 'deny' },
      ],
    });
    expect(settings.external_tools.sign?.agents).toEqual(['helper-2']);
    expect(missing).toEqual([expect.stringContaining("Agent 'stranger'")]);
    expect(issues.filter(({ severity, message }) => severity === 'error' && !message.includes('stranger'))).toEqual([]);
  });

  test('names the secrets of a server under the name that it has here', () => {
    const slice = { ...pair(), beside: { files: [], secrets: ['time', 'other'] } };
    const merged = mergeSlice(read(here), slice);
    expect(merged.ok && merged.value.missing[0]).toContain("secrets of server 'time-2'");
  });

  test('uses those of the project if a person says so', () => {
    const { folder } = merge(
      here,
      new Map([
        ['server time', 'here'],
        ['file tools.ts', 'here'],
      ]),
    );
    const { cards, config } = readFolder(folder);
    expect(Object.keys(config.servers)).toEqual(['time']);
    expect(folder.has('tools-2.ts')).toBe(false);
    expect(cards.find(({ name }) => name === 'lead')).toMatchObject({ servers: ['time'] });
  });

  test('has the names of tools as this project writes them', () => {
    const plain = folderOf({ 'callboard.yaml': 'version: 1\ntool_naming: plain\n' });
    const { rules } = readFolder(merge(plain).folder).settings.approvals;
    expect(rules?.[0]?.tools).toEqual(['time__*']);
    expect(rules?.[1]).toEqual({ tools: ['helper'], effect: 'ask', limit_s: 60 });
  });

  test('names guards of all agents that stay behind', () => {
    const guarded = new Map(source);
    const text = files['callboard.yaml'].replace(
      'approvals:\n',
      'run_hooks: [audit.ts:note]\napprovals:\n  default: ask\n',
    );
    guarded.set('callboard.yaml', { kind: 'text', text });
    const slice = sliceOf(read(guarded), new Set(['agent-cards/helper.md']), new Set());
    const merged = mergeSlice(read(new Map()), slice);
    expect(merged.ok && merged.value.missing).toEqual([
      expect.stringContaining("'audit.ts:note'"),
      expect.stringContaining("'approvals.default'"),
    ]);
    expect(mergeSlice(read(guarded), slice)).toMatchObject({ ok: true, value: { missing: [] } });
  });

  test('changes nothing if a file here cannot be edited', () => {
    const broken = folderOf({ 'callboard.yaml': 'approvals: [\n' });
    expect(mergeSlice(read(broken), pair())).toMatchObject({ ok: false, error: { file: 'callboard.yaml' } });
  });
});

describe('nothing that was here before is decided in another way', () => {
  const card = (name: string, more = '') => `---\nname: ${name}\n${more}---\nWork.\n`;
  const settings = (text: string) => ({ 'callboard.yaml': `version: 1\n${text}` });

  /** Copies agents of one project into another one. */
  function bring(there: Record<string, string>, cards: readonly string[], here: Record<string, string>) {
    const paths = new Set(cards.map((name) => `agent-cards/${name}.md`));
    const slice = sliceOf(read(folderOf(there)), paths, new Set());
    const merged = mergeSlice(read(folderOf(here)), slice);
    if (!merged.ok) throw new Error(merged.error.message);
    const after = new Map(folderOf(here));
    for (const [path, file] of merged.value.files) after.set(path, file);
    return { ...merged.value, folder: after, ...readFolder(after) };
  }

  test('the policy of a hook comes only with its code', () => {
    const hooks = 'export async function guard(ctx, args, next) {\n  return next(args);\n}\n';
    const there = {
      'agent-cards/a.md': card('a', 'tool_hooks: [../hooks.ts:guard]\n'),
      'hooks.ts': hooks,
      ...settings('hooks: {"../hooks.ts:guard": {on_error: skip}}\n'),
    };
    const both = bring(there, ['a'], { 'agent-cards/b.md': card('b'), 'hooks.ts': hooks });
    expect(both.settings.hooks).toEqual({});
    expect(both.missing).toEqual([expect.stringContaining("'../hooks.ts:guard' is different here")]);
    expect(bring(there, ['a'], {}).settings.hooks).toEqual({ '../hooks.ts:guard': { on_error: 'skip' } });
  });

  test('what a server may ask for comes only with the server, under its name here', () => {
    const server = (word: string) => ({ 'fast-agent.yaml': `mcp:\n  servers:\n    time: {command: ${word}}\n` });
    const there = {
      'agent-cards/a.md': card('a', 'servers: [time]\n'),
      ...server('x'),
      ...settings('mcp: {servers: {time: {sampling: allow}}}\n'),
    };
    expect(bring(there, ['a'], server('y')).settings.mcp.servers).toEqual({ 'time-2': { sampling: 'allow' } });
    expect(bring(there, ['a'], server('x')).settings.mcp.servers).toBeUndefined();
  });

  test.each([
    [
      '{tools: [agent__a, "shell*"], effect: deny}',
      [
        { tools: ['agent__a'], effect: 'deny' },
        { tools: ['shell*'], effect: 'deny', agents: ['a'] },
      ],
    ],
    ['{tools: [agent__a, "mail__*"], agents: [boss], effect: ask}', [{ tools: ['agent__a'], effect: 'ask' }]],
    ['{tools: [agent__a, "mail__*"], agents: [boss], effect: allow}', undefined],
    ['{tools: ["*__a", x], agents: [a], effect: ask}', [{ tools: ['*__a', 'x'], effect: 'ask', agents: ['a'] }]],
    ['{tools: [], effect: deny}', undefined],
  ])('the rule %s is narrowed to the agents that came', (rule, wanted) => {
    const there = { 'agent-cards/a.md': card('a'), ...settings(`approvals: {rules: [${rule}]}\n`) };
    expect(bring(there, ['a'], { 'agent-cards/boss.md': card('boss') }).settings.approvals.rules).toEqual(wanted);
  });

  test('a wider rule is no twin, and gives the new agents nothing', () => {
    const rule = (tools: string) =>
      settings(`approvals: {default: ask, rules: [{tools: [${tools}], agents: [ops], effect: allow}]}\n`);
    const cards = { 'agent-cards/ops.md': card('ops') };
    const { settings: now } = bring({ ...cards, ...rule('"time__*"') }, ['ops'], {
      ...cards,
      ...rule('"time__*", "mail__*"'),
    });
    expect(now.approvals.rules).toEqual([
      { tools: ['time__*', 'mail__*'], agents: ['ops'], effect: 'allow' },
      { tools: ['time__*'], agents: ['ops-2'], effect: 'allow' },
    ]);
  });

  test('a copy is meant by every rule that means the original, however its tool is written', () => {
    const project = {
      'agent-cards/Helper.md': card('Helper'),
      ...settings(
        'tool_naming: call_\nrun_hooks: [{block: {when: {tool: call_helper}}}]\napprovals: {rules: [{tools: [call_helper], effect: deny}, {tools: ["*_helper"], effect: ask}]}\n',
      ),
    };
    const { settings: now, missing } = bring(project, ['Helper'], project);
    expect(now.approvals.rules?.map(({ tools }) => tools)).toEqual([
      ['call_helper', 'call_helper-2'],
      ['*_helper', 'call_helper-2'],
    ]);
    expect(now.run_hooks).toEqual([{ kind: 'block', when: { tool: ['call_helper', 'call_helper-2'] } }]);
    expect(missing).toEqual([]);
  });

  test('a rule for calls of the original by others means its copy too', () => {
    const project = {
      'agent-cards/helper.md': card('helper'),
      'agent-cards/boss.md': card('boss', 'agents: [helper]\n'),
      ...settings('approvals: {rules: [{tools: ["*_helper"], agents: [boss], effect: ask}]}\n'),
    };
    expect(bring(project, ['helper'], project).settings.approvals.rules).toEqual([
      { tools: ['*_helper', 'agent__helper-2'], agents: ['boss'], effect: 'ask' },
    ]);
  });

  test('a card that is named by its file keeps its name when its path is taken', () => {
    const there = {
      'agent-cards/helper.md': '---\ndescription: x\n---\nHelp.\n',
      ...settings('approvals: {agents: {helper: deny}}\n'),
    };
    const { agents, cards } = bring(there, ['helper'], { 'agent-cards/helper.md': card('assistant') });
    expect([agents, cards.map(({ name }) => name).sort()]).toEqual([['helper'], ['assistant', 'helper']]);
  });

  test('a file that names another one that differs comes too, and Python modules and skills as a whole', () => {
    const there = {
      'agent-cards/a.md': card(
        'a',
        'function_tools: [../tools.py:f]\ntool_hooks: [../hooks.ts:guard]\nskills: [skills/style]\n',
      ),
      'hooks.ts': "import { log } from './log';\nexport const guard = log;\n",
      'log.ts': 'export const log = 1;\n',
      'tools.py': 'from lib import f\n',
      'lib.py': 'def f(): pass\n',
      'skills/style/SKILL.md': '---\nname: style\ndescription: s\n---\nMine. See ref.md.\n',
      'skills/style/ref.md': 'Mine.\n',
    };
    const here = {
      ...there,
      'log.ts': 'export const log = 2;\n',
      'lib.py': 'def f(): return 1\n',
      'skills/style/ref.md': 'Theirs.\n',
    };
    const { folder, cards } = bring(there, ['a'], here);
    const text = (path: string) => folder.get(path);
    expect(text('hooks-2.ts')).toEqual({
      kind: 'text',
      text: "import { log } from './log-2';\nexport const guard = log;\n",
    });
    expect(text('tools_2.py')).toEqual({ kind: 'text', text: 'from lib_2 import f\n' });
    expect(text('skills/style-2/ref.md')).toEqual({ kind: 'text', text: 'Mine.\n' });
    expect(cards.find(({ name }) => name === 'a-2')).toMatchObject({
      skills: ['skills/style-2'],
      toolHooks: { chain: [{ file: 'hooks-2.ts' }] },
      functionTools: [{ file: 'tools_2.py' }],
    });
  });

  test('a file that comes along does not take the path of a card', () => {
    const there = {
      'agent-cards/lead.md': card('rules').replace('Work.', '{{file:agent-cards/rules.md}}'),
      'agent-cards/rules.md': 'Be kind.\n',
    };
    const { cards } = bring(there, ['lead'], { 'agent-cards/lead.md': card('lead') });
    expect(cards.map(({ name }) => name).sort()).toEqual(['lead', 'rules']);
  });

  test('a server that only a secrets file or a faulty entry has is asked about', () => {
    const there = {
      'agent-cards/a.md': card('a', 'servers: [time]\n'),
      'fast-agent.yaml': 'mcp: {servers: {time: {command: x}}}\n',
    };
    const slice = sliceOf(read(folderOf(there)), new Set(['agent-cards/a.md']), new Set());
    const clash = [{ kind: 'server', name: 'time' }];
    const secret = { 'fastagent.secrets.yaml': 'mcp: {servers: {time: {headers: {a: b}}}}\n' };
    expect(findClashes(read(folderOf(secret)), slice)).toEqual(clash);
    expect(
      findClashes(read(folderOf({ 'fast-agent.yaml': 'mcp: {servers: {time: {env: {A: b}}}}\n' })), slice),
    ).toEqual(clash);
  });

  test('files with secrets and configs stay behind, and are named', () => {
    const there = {
      'agent-cards/a.md': card('a', 'servers: [s]\n'),
      'fast-agent.yaml': 'mcp: {servers: {s: {command: node, args: [s.mjs]}}}\n',
      's.mjs': '',
      '.env': 'KEY=hidden\n',
    };
    const slice = sliceOf(read(folderOf(there)), new Set(['agent-cards/a.md']), new Set());
    expect(JSON.stringify([...slice.folder])).not.toContain('hidden');
    expect(slice.beside.files).toContain('.env');
  });
});

test('a whole folder comes with its other files, servers that nobody uses and bytes, but without secrets', () => {
  const folder = new Map(folderOf({ ...files, 'README.md': 'Read.\n', '.env': 'KEY=hidden\n' }));
  folder.set('logo.png', { kind: 'stored', hash: 'ab', size: 2 });
  const sliced = sliceFolder(read(folder));
  if (!sliced.ok) throw new Error(sliced.error.message);
  const slice = sliced.value;
  expect(findClashes(read(new Map([['logo.png', { kind: 'stored', hash: 'cd', size: 2 }]])), slice)).toEqual([
    { kind: 'file', name: 'logo.png' },
  ]);
  const merged = mergeSlice(read(new Map()), slice);
  if (!merged.ok) throw new Error(merged.error.message);
  expect([...merged.value.files.keys()].sort()).toEqual([...folder.keys()].filter((path) => path !== '.env').sort());
  expect(merged.value.files.get('logo.png')).toEqual({ kind: 'stored', hash: 'ab', size: 2 });
  expect([merged.value.servers.toSorted(), merged.value.missing]).toEqual([
    ['other', 'time'],
    [expect.stringContaining("'.env'")],
  ]);
});

describe('a file that cannot be read and has parts of what is copied', () => {
  const card = '---\nname: a\nservers: [time]\n---\nWork.\n';
  const guarded = {
    'agent-cards/a.md': card,
    'callboard.yaml': 'version: 1\nagent_hooks: {a: [{block: {}}]}\napprovals: {agents: {a: ask}}\n',
    'fast-agent.yaml': 'mcp: {servers: {time: {command: x}}}\n',
  };
  const take = (more: Record<string, string>) => {
    const project = read(folderOf({ ...guarded, ...more }));
    return [sliceProject(project, new Set(['agent-cards/a.md']), new Set()), sliceFolder(project)];
  };

  test.each([
    ['callboard.yaml', `${guarded['callboard.yaml']}limits: [\n`, 4],
    ['fast-agent.yaml', `${guarded['fast-agent.yaml']}default_model: [\n`, 2],
    ['fastagent.secrets.yaml', 'mcp: [\n', 1],
    ['agent-cards/a.md', '---\nname: a\nagents: [\n---\nWork.\n', 3],
  ])('refuses the copy: %s', (file, text, line) => {
    for (const slice of take({ [file]: text })) {
      expect(slice).toMatchObject({ ok: false, error: { file } });
      if (slice.ok) continue;
      expect(slice.error.message).toMatch(
        new RegExp(`^${file} cannot be read \\(line [${line}${line + 1}]\\) and has parts`),
      );
    }
  });

  test('what belongs to no agent does not matter', () => {
    const post = { 'docs/post.md': '---\ntitle: a: b\n---\nHello.\n', 'old/fastagent.secrets.yaml': 'mcp: [\n' };
    const [slice, whole] = take(post);
    expect([slice?.ok, whole?.ok]).toEqual([true, true]);
    if (whole?.ok) expect(whole.value.folder.has('docs/post.md')).toBe(true);
  });

  test('a secrets file matters only for servers', () => {
    const [slice] = take({ 'agent-cards/a.md': '---\nname: a\n---\n', 'fastagent.secrets.yaml': 'mcp: [\n' });
    expect(slice?.ok).toBe(true);
  });

  test('refuses the paste of agents, also here and in a text from elsewhere', () => {
    const slice = sliceOf(read(folderOf(guarded)), new Set(['agent-cards/a.md']), new Set());
    const broken = folderOf({ 'callboard.yaml': 'version: 1\nagent_hooks: [\n' });
    expect(mergeSlice(read(broken), slice)).toMatchObject({ ok: false, error: { file: 'callboard.yaml' } });
    const torn = new Map([...slice.folder, ['callboard.yaml', { kind: 'text', text: 'approvals: [' }] as const]);
    const merged = mergeSlice(read(new Map()), { ...slice, folder: torn });
    expect(merged).toMatchObject({ ok: false, error: { file: 'callboard.yaml' } });
  });
});

describe('what agents rely on and do not bring', () => {
  const chain = { 'agent-cards/c.md': '---\nname: c\ntype: chain\nsequence: [x, y]\n---\n' };
  const agent = (name: string, text = 'Work.') => ({
    [`agent-cards/${name}.md`]: `---\nname: ${name}\n---\n${text}\n`,
  });
  const gateway = {
    'agent-cards/a.md': '---\nname: a\nmodel: openai.gpt-5\n---\nWork.\n',
    'agent-cards/b.md': '---\nname: b\n---\nWork.\n',
    'fast-agent.yaml':
      'default_model: generic.qwen\nopenai: {base_url: "https://gw.corp/v1", api_key: hidden}\ngeneric: {base_url: "http://lan:1"}\nanthropic: {base_url: "https://x"}\n',
  };
  const missing = (there: Record<string, string>, names: readonly string[], here: Record<string, string>) => {
    const slice = sliceOf(read(folderOf(there)), new Set(names.map((name) => `agent-cards/${name}.md`)), new Set());
    expect(JSON.stringify([slice.beside, ...slice.folder])).not.toContain('hidden');
    const merged = mergeSlice(read(folderOf(here)), slice);
    if (!merged.ok) throw new Error(merged.error.message);
    return merged.value.missing;
  };

  test('names an agent of this project that takes the place of one that was not copied', () => {
    const there = { ...chain, ...agent('x'), ...agent('y') };
    expect(missing(there, ['c'], agent('x', 'Something else.'))).toEqual([
      "Agent 'x' was not copied: 'c' uses the agent 'x' of this project.",
      expect.stringContaining("Agent 'y' was not copied and is not here."),
    ]);
    expect(missing(there, ['c'], there)).toEqual([]);
  });

  test('names settings of its provider, by their keys, where they are others', () => {
    expect(missing(gateway, ['a'], {})).toEqual([
      "The models of the agents used these settings, which are others here or missing: 'openai.base_url'. Set them in fast-agent.yaml.",
    ]);
    expect(missing(gateway, ['a'], gateway)).toEqual([]);
    const other = { 'fastagent.config.yaml': 'openai: {base_url: "https://other"}\n' };
    expect(missing(gateway, ['a'], other)).toEqual([
      expect.stringContaining("'openai.base_url'. Set them in fastagent.config.yaml"),
    ]);
  });

  test('names the default model of an agent without one, and the settings of its provider', () => {
    expect(missing(gateway, ['b'], {})).toEqual([expect.stringContaining("'default_model', 'generic.base_url'")]);
    const here = { 'fast-agent.yaml': 'default_model: openai.gpt-5\n' };
    expect(missing(gateway, ['b'], here)).toEqual([expect.stringContaining("'default_model', 'generic.base_url'")]);
    expect(missing(gateway, ['b'], gateway)).toEqual([]);
  });
});

describe('a file that this project has in another case', () => {
  const there = {
    'agent-cards/a.md': '---\nname: a\nfunction_tools: [../tools.ts:add]\n---\nAdd.\n',
    'tools.ts': 'export const add = () => 1;\n',
  };
  const slice = () => sliceOf(read(folderOf(there)), new Set(['agent-cards/a.md']), new Set());
  const pasteInto = (here: Record<string, string>, answers?: ReadonlyMap<string, ClashAnswer>) => {
    const merged = mergeSlice(read(folderOf(here)), slice(), answers);
    if (!merged.ok) throw new Error(merged.error.message);
    const after = new Map([...folderOf(here), ...merged.value.files]);
    const parsed = readFolder(after);
    expect(parsed.issues.map(({ code }) => code)).not.toContain('path-clash');
    const card = parsed.cards.find(({ name }) => name === 'a');
    return [[...after.keys()].sort(), card?.type === 'agent' && card.functionTools.map(({ file }) => file)];
  };
  const other = { 'Tools.ts': 'export const add = () => 2;\n' };

  test('is asked about if it differs, and both stay without a clash', () => {
    expect(findClashes(read(folderOf(other)), slice())).toEqual([{ kind: 'file', name: 'tools.ts' }]);
    expect(pasteInto(other)).toEqual([['Tools.ts', 'agent-cards/a.md', 'tools-2.ts'], ['tools-2.ts']]);
  });

  test('is used if a person says so, or if it is the same', () => {
    const used = [['Tools.ts', 'agent-cards/a.md'], ['Tools.ts']];
    expect(pasteInto(other, new Map([['file tools.ts', 'here']]))).toEqual(used);
    const same = { 'Tools.ts': there['tools.ts'] };
    expect(findClashes(read(folderOf(same)), slice())).toEqual([]);
    expect(pasteInto(same)).toEqual(used);
  });
});

describe('what a removed agent left in callboard.yaml', () => {
  const left =
    'version: 1\napprovals: {default: ask, agents: {a: allow, b: ask}}\nagent_hooks: {a: [{log: {}}]}\nhooks_off: {a: {tool_hooks: ["h.ts:g"]}}\ndelegations: {b: {a: {timeout_ms: 5}}}\n';
  const here = { 'agent-cards/b.md': '---\nname: b\n---\nWork.\n', 'callboard.yaml': left };

  test.each([
    ['no settings', {}, { b: 'ask' }],
    ['its own settings', { 'callboard.yaml': 'version: 1\napprovals: {agents: {a: deny}}\n' }, { b: 'ask', a: 'deny' }],
  ])('does not hold for a pasted agent of its name that has %s', (_, more, agents) => {
    const there = folderOf({ 'agent-cards/a.md': '---\nname: a\n---\nWork.\n', ...more });
    const merged = mergeSlice(read(folderOf(here)), sliceOf(read(there), new Set(['agent-cards/a.md']), new Set()));
    if (!merged.ok) throw new Error(merged.error.message);
    const { settings } = readFolder(new Map([...folderOf(here), ...merged.value.files]));
    expect([settings.approvals.agents, settings.agent_hooks, settings.hooks_off]).toEqual([agents, {}, {}]);
    expect(Object.keys(settings.delegations.b ?? {})).toEqual(['a']);
  });
});
