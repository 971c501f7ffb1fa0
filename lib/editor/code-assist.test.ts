import { describe, expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { completionsAt } from './code-completion';
import { fixesOf } from './code-fixes';
import { definitionAt, helpAt } from './code-help';
import type { CodeProject } from './code-project';
import { withListing } from './known-servers';

const files = {
  'agent-cards/lead.md':
    '---\nname: lead\nagents: [writer]\nservers: [time]\ntools:\n  time: [get_time]\nfunction_tools: ["../tools.py:add_one"]\n---\nLead. {{file:notes.md}}\n',
  'agent-cards/writer.md': '---\nname: writer\ndescription: Writes texts.\nmodel: $fast.small\n---\nWrite.\n',
  'fast-agent.yaml':
    'default_model: playback\nmodel_references:\n  fast:\n    small: openai.gpt-5-mini\nmcp:\n  servers:\n    time:\n      command: uvx\n      args: [mcp-server-time]\n',
  'callboard.yaml': 'version: 1\nentry: lead\n',
  'tools.py': 'import os\n\ndef add_one(x: int) -> int:\n    return x + 1\n',
  'hooks.py':
    'async def audit(ctx, args, call_next):\n    return await call_next(args)\n\nasync def note(ctx):\n    pass\n',
  'notes.md': 'Notes.\n',
};

function projectWith(changed: Readonly<Record<string, string>> = {}): CodeProject {
  const folder = folderOf({ ...files, ...changed });
  return { folder, drawn: readFolder(folder) };
}

function offered(file: string, marked: string): string[] | undefined {
  const offset = marked.indexOf('|');
  const found = completionsAt(projectWith(), file, marked.replace('|', ''), offset);
  return found?.options.map(({ insert }) => insert);
}

const card = 'agent-cards/lead.md';

describe('completion', () => {
  test.each([
    [card, '---\nname: x\nag|\n---\n', expect.arrayContaining(['agents:', 'model: ', 'function_tools:'])],
    [card, '---\ntype: chain\nse|\n---\n', expect.not.arrayContaining(['servers:'])],
    [card, '---\nagents: [writer, |]\n---\n', ['lead']],
    [card, '---\nagents:\n  - writer\n  - |\n---\n', ['lead']],
    [card, '---\nagents: |\n---\n', ['[lead]', '[writer]']],
    [card, '---\nservers: [t|]\n---\n', ['time']],
    [card, '---\ntools:\n  time: [|]\n---\n', ['get_time']],
    [card, '---\ntools:\n  |\n---\n', ['time: ']],
    [card, '---\nfunction_tools:\n  - |\n---\n', ['../tools.py:add_one', '../hooks.py:audit', '../hooks.py:note']],
    [card, '---\ntool_hooks:\n  - |\n---\n', expect.arrayContaining(['../hooks.py:audit'])],
    [card, '---\ntool_hooks:\n  - |\n---\n', expect.not.arrayContaining(['../hooks.py:note'])],
    [card, '---\nlifecycle_hooks:\n  on_start: |\n---\n', ['../tools.py:add_one', '../hooks.py:note']],
    [card, '---\nmodel: |\n---\n', ['$fast.small', 'passthrough', 'playback']],
    [card, '---\nuse_history: |\n---\n', ['true', 'false']],
    [card, '---\nhistory_source: |\n---\n', ['none', 'messages', 'child', 'orchestrator']],
    [card, '---\nname: x\n---\nagents: |', undefined],
    ['callboard.yaml', 'entry: |', ['lead', 'writer']],
    ['callboard.yaml', 'delegations:\n  lead:\n    writer:\n      session: |', ['none', 'addressed', 'reuse']],
    ['callboard.yaml', 'delegations:\n  |', ['lead: ', 'writer: ']],
    ['callboard.yaml', 'run_hooks:\n  - |', expect.arrayContaining(['hooks.py:audit', 'clamp: '])],
    ['callboard.yaml', 'limits:\n  max_depth: 3\n  |', expect.not.arrayContaining(['max_depth: '])],
    ['fast-agent.yaml', 'mcp:\n  servers:\n    time:\n      transport: |', ['stdio', 'http', 'sse']],
    ['tools.py', 'de|', undefined],
  ])('%s %j', (file, marked, expected) => {
    expect(offered(file, marked)).toEqual(expected);
  });

  test('of the tools of a server that was tested, with what it says of them', () => {
    const tools = ['get_time', 'convert_time'].map((name) => ({ name, description: `Does ${name}.`, inputSchema: {} }));
    const known = withListing({}, 'time', { tools, resources: [], prompts: [], probedAt: 0 });
    const text = '---\ntools:\n  time: [get_time, ]\n---\n';
    const found = completionsAt({ ...projectWith(), known }, card, text, text.indexOf(']'));
    expect(found?.options).toMatchObject([{ insert: 'convert_time', detail: 'time', text: 'Does convert_time.' }]);
  });
});

test('help tells what a field is for, and who a name is', () => {
  const project = projectWith();
  const text = files[card];
  const words = (word: string) => helpAt(project, card, text, text.indexOf(word) + 1);
  expect(words('agents')).toMatchObject({ title: 'agents', text: expect.stringContaining('each as a tool') });
  expect(words('writer')).toMatchObject({ title: 'writer · agent', text: 'Writes texts.' });
  expect(words('time')).toMatchObject({ title: 'time · stdio', text: 'uvx mcp-server-time' });
  expect(words('Lead.')).toBeUndefined();
});

test('a definition is the card, the entry, the function or the file', () => {
  const project = projectWith({
    'callboard.yaml': 'version: 1\ncanvas:\n  positions:\n    agent:writer: {x: 0, y: 0}\n',
  });
  const place = (file: string, word: string) => {
    const entry = project.folder.get(file);
    const text = entry?.kind === 'text' ? entry.text : '';
    const target = definitionAt(project, file, text, text.indexOf(word) + 2);
    return target && `${target.file}:${target.line}`;
  };
  expect(place(card, 'writer')).toBe('agent-cards/writer.md:2');
  expect(place(card, 'time]')).toBe('fast-agent.yaml:7');
  expect(place(card, '../tools.py')).toBe('tools.py:3');
  expect(place(card, 'notes.md')).toBe('notes.md:1');
  expect(place('callboard.yaml', 'agent:writer')).toBe('agent-cards/writer.md:2');
  expect(place('agent-cards/writer.md', 'Writes')).toBeUndefined();
});

describe('fixes', () => {
  /** Returns the labels of the fixes of an issue, and the files that the named one changes. */
  function fixed(changed: Readonly<Record<string, string>>, code: string, label?: string) {
    const project = projectWith(changed);
    const issue = project.drawn.issues.find((one) => one.code === code);
    if (issue === undefined) throw new Error(`no ${code}: ${project.drawn.issues.map((one) => one.code)}`);
    const fixes = fixesOf(project, issue);
    const change = fixes.find((fix) => fix.label === label)?.change();
    const after = change?.ok
      ? readFolder(
          new Map([...project.folder, ...folderOf(Object.fromEntries(change.value) as Record<string, string>)]),
        )
      : undefined;
    return {
      labels: fixes.map((fix) => fix.label),
      change: change?.ok ? Object.fromEntries(change.value) : change,
      left: after?.issues.map((one) => one.code),
    };
  }

  const writer = (front: string) => ({ 'agent-cards/writer.md': `---\nname: writer\n${front}---\nWrite.\n` });

  test('create the file with the function', () => {
    const { labels, change, left } = fixed(
      writer('function_tools: ["../new.py:add_two"]\n'),
      'function-file-missing',
      'Create new.py with add_two',
    );
    expect(labels).toEqual(['Create new.py with add_two', 'Remove the reference']);
    expect(change).toMatchObject({ 'new.py': expect.stringContaining('def add_two(') });
    expect(left).not.toContain('function-file-missing');
  });

  test('add the function to the file, as what it is used for', () => {
    const phases = writer('tool_hooks:\n  after_tool_call: ../hooks.py:after\n');
    expect(fixed(phases, 'hook-missing', 'Add after to hooks.py').change).toMatchObject({
      'hooks.py': expect.stringContaining('async def after(ctx) -> None:'),
    });
    const chain = writer('tool_hooks: ["../hooks.py:aroun"]\n');
    expect(fixed(chain, 'hook-missing', 'Add aroun to hooks.py').left).not.toContain('hook-missing');
  });

  test('write the name that was meant, add the child, or remove the reference', () => {
    const lead = { [card]: '---\nname: lead\nagents: [wrtier]\n---\nLead.\n' };
    expect(fixed(lead, 'missing-agent').labels).toEqual([
      'Write writer',
      'Add the agent wrtier',
      'Remove the reference',
    ]);
    expect(fixed(lead, 'missing-agent', 'Write writer').change).toEqual({
      [card]: '---\nname: lead\nagents: [writer]\n---\nLead.\n',
    });
    expect(fixed(lead, 'missing-agent', 'Add the agent wrtier').left).not.toContain('missing-agent');
    expect(fixed(lead, 'missing-agent', 'Remove the reference').change).toEqual({
      [card]: '---\nname: lead\n---\nLead.\n',
    });
  });

  test('rename or remove an unknown field', () => {
    expect(fixed(writer('descriptoin: x\n'), 'unknown-field').labels).toEqual([
      'Rename the field to description',
      'Remove the field descriptoin',
    ]);
    expect(fixed(writer('descriptoin: x\n'), 'unknown-field', 'Rename the field to description').change).toEqual(
      writer('description: x\n'),
    );
    expect(fixed(writer('zzz: x\n'), 'unknown-field', 'Remove the field zzz').change).toEqual(writer(''));
  });

  test('configure a server, and write what a hook lacks', () => {
    expect(fixed(writer('servers: [clock]\n'), 'unknown-server').labels).toContain(
      'Add the server clock to fast-agent.yaml',
    );
    const code = { ...writer('tool_hooks: ["../h.py:f"]\n'), 'h.py': 'def f(ctx, args, call_next):\n    return 1\n' };
    expect(fixed(code, 'hook-not-async', 'Write async before f').change).toEqual({
      'h.py': 'async def f(ctx, args, call_next):\n    return 1\n',
    });
  });
});
