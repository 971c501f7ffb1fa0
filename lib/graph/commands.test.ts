import { describe, expect, it } from 'vitest';
import type { CardType } from '@/lib/cards/card';
import { folderOf } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import {
  addAgent,
  addServer,
  type Command,
  moveNodes,
  renameAgent,
  setDelegation,
  setField,
  setInstruction,
} from './commands';
import { agentId, projectGraph } from './project';
import { removeNodes } from './removal';
import { connect, disconnect } from './wires';

const files: Record<string, string> = {
  'agent-cards/lead.md': `---
name: lead
servers: [time, web]
tools:
  time: [get_*]
agents:
  - kid
  - other # helps
function_tools:
  - ../tools/a.py:add
tool_hooks: [h.py:a, h.py:b]
---
Lead.
`,
  'agent-cards/kid.md': '---\nname: kid\nmcp_connect:\n  - name: far\n    target: https://far.example/mcp\n---\n',
  'agent-cards/other.md': '---\nname: other\n---\n',
  'agent-cards/flow.md': '---\ntype: chain\nname: flow\nsequence: [kid, other, kid]\n---\n',
  'tools/a.py': 'def add(): ...\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    time:\n      command: node\n    web:\n      url: http://x/mcp\n',
  'callboard.yaml': `version: 1
delegations:
  lead:
    kid: { timeout_ms: 5 }
canvas:
  positions:
    agent:kid: { x: 1, y: 2 }
`,
};

function given(record = files) {
  const folder = folderOf(record);
  const parsed = readFolder(folder);
  return { folder, parsed, graph: projectGraph(parsed) };
}

/** Changed files with their changed lines, `-` and `+`. */
function changed(folder: Folder, command: Command): Record<string, string[] | null> {
  if (!command.ok) throw new Error(command.error.message);
  const result: Record<string, string[] | null> = {};
  for (const [path, text] of command.value) {
    const file = folder.get(path);
    const before = file?.kind === 'text' ? file.text.split('\n') : [];
    if (text === null) result[path] = null;
    else {
      const after = text.split('\n');
      const lost = before.filter((line) => !after.includes(line)).map((line) => `-${line}`);
      result[path] = [...lost, ...after.filter((line) => !before.includes(line)).map((line) => `+${line}`)];
    }
  }
  return result;
}

describe('agents', () => {
  it('adds a card where the others are, with its position', () => {
    const { folder, parsed } = given();
    const command = addAgent(folder, parsed, { name: 'New one', position: { x: 10.4, y: 20 } });
    expect(command.ok && command.value.get('agent-cards/New_one.md')).toBe('---\ntype: agent\nname: New_one\n---\n');
    expect(changed(folder, command)['callboard.yaml']).toEqual(['+    agent:New_one: { x: 10, y: 20 }']);
  });

  it('adds the first card to an empty folder', () => {
    const { folder, parsed } = given({});
    const command = addAgent(folder, parsed, { name: 'on', type: 'chain' });
    expect(command.ok && Object.fromEntries(command.value)).toEqual({
      'agent-cards/on.md': '---\ntype: chain\nname: "on"\n---\n',
    });
  });

  it('refuses a name that is taken', () => {
    const { folder, parsed } = given();
    expect(addAgent(folder, parsed, { name: ' kid ' })).toMatchObject({ ok: false, error: { code: 'name-taken' } });
  });

  it('removes an agent with all that names it', () => {
    const { folder, parsed, graph } = given();
    expect(changed(folder, removeNodes(folder, parsed, graph, [agentId('kid')]))).toEqual({
      'agent-cards/kid.md': null,
      'agent-cards/lead.md': ['-  - kid'],
      'agent-cards/flow.md': ['-sequence: [kid, other, kid]', '+sequence: [other]'],
      'callboard.yaml': [
        '-delegations:',
        '-  lead:',
        '-    kid: { timeout_ms: 5 }',
        '-canvas:',
        '-  positions:',
        '-    agent:kid: { x: 1, y: 2 }',
      ],
    });
  });

  it('removes several nodes at once', () => {
    const { folder, parsed, graph } = given();
    const ids = ['agent:kid', 'agent:other', 'server:time', 'function:tools/a.py:add'];
    expect(changed(folder, removeNodes(folder, parsed, graph, ids))).toMatchObject({
      'agent-cards/kid.md': null,
      'agent-cards/other.md': null,
      'agent-cards/lead.md': [
        '-servers: [time, web]',
        '-tools:',
        '-  time: [get_*]',
        '-agents:',
        '-  - kid',
        '-  - other # helps',
        '-function_tools:',
        '-  - ../tools/a.py:add',
        '+servers: [web]',
      ],
      'agent-cards/flow.md': ['-sequence: [kid, other, kid]', '+sequence: []'],
      'fast-agent.yaml': ['-    time:', '-      command: node'],
    });
  });

  it('renames, sets fields and instruction', () => {
    const { folder, parsed } = given();
    expect(changed(folder, renameAgent(folder, 'other', 'else'))).toEqual({
      'agent-cards/other.md': ['-name: other', '+name: else'],
      'agent-cards/lead.md': ['-  - other # helps', '+  - else # helps'],
      'agent-cards/flow.md': ['-sequence: [kid, other, kid]', '+sequence: [kid, else, kid]'],
    });
    expect(changed(folder, setField(folder, parsed, 'kid', ['model'], 'gpt-5'))).toEqual({
      'agent-cards/kid.md': ['+model: gpt-5'],
    });
    expect(changed(folder, setField(folder, parsed, 'lead', ['tools', 'time'], undefined))).toEqual({
      'agent-cards/lead.md': ['-tools:', '-  time: [get_*]', '+tools: {}'],
    });
    expect(changed(folder, setInstruction(folder, parsed, 'lead', 'Go.'))).toEqual({
      'agent-cards/lead.md': ['-Lead.', '+Go.'],
    });
    expect(setField(folder, parsed, 'ghost', ['model'], 'x')).toMatchObject({
      ok: false,
      error: { code: 'unknown-agent' },
    });
  });
});

describe('positions and options', () => {
  it('moves nodes and makes the file when it is missing', () => {
    const { 'callboard.yaml': _, ...without } = files;
    const { folder, parsed } = given(without);
    const command = moveNodes(folder, parsed, { 'agent:kid': { x: 1, y: 2 }, 'server:time': { x: -3, y: 4 } });
    expect(command.ok && Object.fromEntries(command.value)).toEqual({
      'callboard.yaml':
        'version: 1\ncanvas:\n  positions:\n    agent:kid: { x: 1, y: 2 }\n    server:time: { x: -3, y: 4 }\n',
    });
  });

  it('changes only the lines of nodes that moved', () => {
    const { folder, parsed } = given();
    const command = moveNodes(folder, parsed, { 'agent:kid': { x: 5, y: 2 }, 'agent:lead': { x: 0, y: 0 } });
    expect(changed(folder, command)).toEqual({
      'callboard.yaml': [
        '-    agent:kid: { x: 1, y: 2 }',
        '+    agent:kid: { x: 5, y: 2 }',
        '+    agent:lead: { x: 0, y: 0 }',
      ],
    });
  });

  it('sets and clears an option of an edge', () => {
    const { folder, parsed } = given();
    const edge = { parent: 'lead', child: 'kid' };
    expect(changed(folder, setDelegation(folder, parsed, edge, 'input_mode', 'message'))).toEqual({
      'callboard.yaml': ['-    kid: { timeout_ms: 5 }', '+    kid: { timeout_ms: 5, input_mode: message }'],
    });
    expect(changed(folder, setDelegation(folder, parsed, edge, 'timeout_ms', undefined))).toEqual({
      'callboard.yaml': ['-delegations:', '-  lead:', '-    kid: { timeout_ms: 5 }'],
    });
  });

  it('adds a server', () => {
    const { folder, parsed } = given();
    expect(changed(folder, addServer(folder, parsed, { name: 'new', command: 'npx', args: ['-y', 'x'] }))).toEqual({
      'fast-agent.yaml': ['+    new:', '+      command: npx', '+      args:', '+        - -y', '+        - x'],
    });
    expect(addServer(folder, parsed, { name: 'time', url: 'http://x' })).toMatchObject({
      error: { code: 'name-taken' },
    });
  });
});

describe('wires', () => {
  it.each([
    ['agent:kid', 'agent:other', { 'agent-cards/kid.md': ['+agents:', '+  - other'] }],
    [
      'agent:flow',
      'agent:lead',
      { 'agent-cards/flow.md': ['-sequence: [kid, other, kid]', '+sequence: [kid, other, kid, lead]'] },
    ],
    ['agent:other', 'server:web', { 'agent-cards/other.md': ['+servers:', '+  - web'] }],
    [
      'agent:other',
      'function:tools/a.py:add',
      { 'agent-cards/other.md': ['+function_tools:', '+  - ../tools/a.py:add'] },
    ],
  ])('connects %s → %s', (source, target, change) => {
    const { folder, parsed, graph } = given();
    expect(changed(folder, connect(folder, parsed, graph, source, target))).toEqual(change);
  });

  it('gives the reason for a wire that may not be', () => {
    const { folder, parsed, graph } = given();
    const command = connect(folder, parsed, graph, 'agent:kid', 'agent:lead');
    expect(!command.ok && command.error.message).toBe('That would make a cycle: kid → lead → kid.');
  });

  it.each([
    [
      'delegation:agent:lead→agent:kid',
      {
        'agent-cards/lead.md': ['-  - kid'],
        'callboard.yaml': ['-delegations:', '-  lead:', '-    kid: { timeout_ms: 5 }'],
      },
    ],
    [
      'sequence:agent:flow→agent:kid#2',
      { 'agent-cards/flow.md': ['-sequence: [kid, other, kid]', '+sequence: [kid, other]'] },
    ],
    [
      'uses:agent:lead→server:time',
      { 'agent-cards/lead.md': ['-servers: [time, web]', '-tools:', '-  time: [get_*]', '+servers: [web]'] },
    ],
    [
      'uses:agent:kid→server:far',
      { 'agent-cards/kid.md': ['-mcp_connect:', '-  - name: far', '-    target: https://far.example/mcp'] },
    ],
    [
      'uses:agent:lead→function:tools/a.py:add',
      { 'agent-cards/lead.md': ['-function_tools:', '-  - ../tools/a.py:add'] },
    ],
  ])('cuts %s', (edge, change) => {
    const { folder, parsed, graph } = given();
    expect(changed(folder, disconnect(folder, parsed, graph, edge))).toEqual(change);
  });

  it('connects and cuts back to the same text', () => {
    const { folder, parsed, graph } = given();
    const there = connect(folder, parsed, graph, 'agent:kid', 'agent:other');
    const text = there.ok ? there.value.get('agent-cards/kid.md') : undefined;
    const next = given({ ...files, 'agent-cards/kid.md': text ?? '' });
    const back = disconnect(next.folder, next.parsed, next.graph, 'delegation:agent:kid→agent:other');
    expect(back.ok && back.value.get('agent-cards/kid.md')).toBe(files['agent-cards/kid.md']);
  });
});

describe('workflows, from nothing', () => {
  const empty = '---\ntype: agent\nname: NAME\n---\n';
  const cases: [type: CardType, wires: string[], fields: string][] = [
    ['chain', ['a', 'b', 'a'], 'sequence:\n  - a\n  - b\n  - a\n'],
    ['parallel', ['a', 'b'], 'fan_out:\n  - a\n  - b\n'],
    ['router', ['a', 'b'], 'agents:\n  - a\n  - b\n'],
    ['orchestrator', ['a'], 'agents:\n  - a\n'],
    ['iterative_planner', ['a'], 'agents:\n  - a\n'],
    ['evaluator_optimizer', ['a', 'b'], 'generator: a\nevaluator: b\n'],
    ['MAKER', ['a'], 'worker: a\n'],
  ];

  it.each(cases)('%s holds its members and nothing else', (type, wires, fields) => {
    const record: Record<string, string> = {
      'a.md': empty.replace('NAME', 'a'),
      'b.md': empty.replace('NAME', 'b'),
    };
    const edit = (command: (now: ReturnType<typeof given>) => Command) => {
      const result = command(given(record));
      if (!result.ok) throw new Error(result.error.message);
      for (const [path, text] of result.value) record[path] = text ?? '';
    };
    edit(({ folder, parsed }) => addAgent(folder, parsed, { name: 'w', type }));
    const start = record['w.md'];
    expect(start).toBe(`---\ntype: ${type}\nname: w\n---\n`);
    for (const to of wires) {
      edit(({ folder, parsed, graph }) => connect(folder, parsed, graph, agentId('w'), agentId(to)));
    }
    expect(record['w.md']).toBe(`---\ntype: ${type}\nname: w\n${fields}---\n`);

    edit(({ folder, parsed, graph }) => removeNodes(folder, parsed, graph, [agentId('a'), agentId('b')]));
    const [field] = fields.split(':');
    const list = /^(sequence|fan_out|agents)$/.test(field ?? '');
    expect(record['w.md']).toBe(list ? `---\ntype: ${type}\nname: w\n${field}: []\n---\n` : start);
  });
});
