import { describe, expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { Command } from './commands';
import { projectGraph } from './project';
import { removeNodes } from './removal';
import { connect, disconnect } from './wires';
import { allowWorker } from './worker-edits';

/** The folder of a lead with one child, and two more agents. `toolset` is YAML below `toolsets.lead`. */
function given(toolset?: string, more = '') {
  const settings = toolset === undefined ? '' : `toolsets:\n  lead: # its helpers\n${toolset}`;
  const folder = folderOf({
    'lead.md': '---\ntype: agent\nname: lead\nagents: [kid]\n---\n',
    'kid.md': '---\ntype: agent\nname: kid\n---\n',
    'pal.md': '---\ntype: agent\nname: pal\n---\n',
    'flow.md': '---\ntype: chain\nname: flow\nsequence: [kid]\n---\n',
    ...(settings + more === '' ? {} : { 'callboard.yaml': `version: 1\n${settings}${more}` }),
  });
  const parsed = readFolder(folder);
  return { folder, parsed, graph: projectGraph(parsed) };
}

function wiresOf({ graph }: ReturnType<typeof given>): string[] {
  return graph.edges.map(({ id, marks }) => (marks.length === 0 ? id : `${id} [${marks.join(', ')}]`));
}

function settingsAfter(command: Command): string | null | undefined {
  if (!command.ok) throw new Error(command.error.message);
  return command.value.get('callboard.yaml');
}

const allow = (list: string, more = '') => `    delegation: { allow_workers: [${list}]${more} }\n`;

describe('lists of workers on the canvas', () => {
  const cases: [string, string, string[]][] = [
    ['an allowed agent', allow('pal'), ['may_call:agent:lead→agent:pal']],
    [
      'one that is a tool too',
      allow('pal', ', expose_as_tools: true'),
      ['may_call:agent:lead→agent:pal [also a tool]'],
    ],
    ['only tools', allow('pal', ', expose_as_tools: only'), ['may_call:agent:lead→agent:pal [as a tool]']],
    ['a worker tool', '    worker_tools: { workers: [pal] }\n', ['may_call:agent:lead→agent:pal [as a tool]']],
    [
      'twice in the lists',
      `${allow('pal, pal')}    worker_tools: { workers: [pal] }\n`,
      ['may_call:agent:lead→agent:pal [also a tool]'],
    ],
    ['an agent that does not exist', allow('ghost'), ['may_call:agent:lead→agent:ghost']],
  ];
  it.each(cases)('draws %s', (_, toolset, expected) => {
    const drawn = wiresOf(given(toolset));
    expect(drawn).toEqual(['sequence:agent:flow→agent:kid', 'delegation:agent:lead→agent:kid', ...expected]);
  });

  it('marks a child that the list names, and draws no second wire', () => {
    const drawn = wiresOf(given(allow('kid')));
    expect(drawn).toEqual(['sequence:agent:flow→agent:kid', 'delegation:agent:lead→agent:kid [worker_call]']);
  });

  it('draws everyone as a mark on the node', () => {
    const { graph } = given(allow('"*", pal', ', create: allowed'));
    const lead = graph.nodes.find(({ id }) => id === 'agent:lead');
    expect(lead).toMatchObject({ workers: { everyone: true, creates: true } });
    expect(graph.edges.filter(({ kind }) => kind === 'may_call')).toHaveLength(1);
  });

  it('shows the options of the delegation, which apply to workers too', () => {
    const drawn = wiresOf(given(allow('pal'), 'delegations: { lead: { pal: { timeout_ms: 5000 } } }\n'));
    expect(drawn).toContain('may_call:agent:lead→agent:pal [≤ 5 s]');
  });
});

describe('allowing', () => {
  it('writes the list when there is none', () => {
    const { folder, parsed, graph } = given();
    const command = allowWorker(folder, parsed, graph, 'agent:lead', 'agent:pal');
    expect(settingsAfter(command)).toBe(
      'version: 1\ntoolsets:\n  lead:\n    delegation:\n      allow_workers:\n        - pal\n',
    );
  });

  it('keeps the children that are workers because there is no list', () => {
    const { folder, parsed, graph } = given('    delegation: { create: allowed }\n');
    const command = allowWorker(folder, parsed, graph, 'agent:lead', 'agent:pal');
    expect(settingsAfter(command)).toBe(
      'version: 1\ntoolsets:\n  lead: # its helpers\n    delegation: { create: allowed, allow_workers: [kid, pal] }\n',
    );
  });

  it('appends to the list and changes nothing else', () => {
    const { folder, parsed, graph } = given(allow('flow'));
    const command = allowWorker(folder, parsed, graph, 'agent:lead', 'agent:pal');
    expect(settingsAfter(command)).toBe(`version: 1\ntoolsets:\n  lead: # its helpers\n${allow('flow, pal')}`);
  });

  const refusals: [string, string | undefined, string, string, string][] = [
    ['itself', undefined, 'lead', 'lead', "'lead' cannot call itself."],
    ['a child', undefined, 'lead', 'kid', "'kid' is a child of 'lead' already, and called as one."],
    ['a worker', allow('pal'), 'lead', 'pal', "'lead' may call 'pal' already."],
    ['anyone when everyone is allowed', allow('"*"'), 'lead', 'pal', "'lead' may call every agent already."],
    ['from a workflow', undefined, 'flow', 'pal', 'Only an agent with a model calls others by name.'],
    ['in a cycle', allow('pal'), 'pal', 'lead', 'That would make a cycle: pal → lead → pal.'],
  ];
  it.each(refusals)('refuses %s', (_, toolset, from, to, reason) => {
    const { folder, parsed, graph } = given(toolset);
    const command = allowWorker(folder, parsed, graph, `agent:${from}`, `agent:${to}`);
    expect(command).toMatchObject({ ok: false, error: { message: reason } });
  });

  it('does not stand in the way of a wire', () => {
    const { folder, parsed, graph } = given(allow('pal'));
    expect(connect(folder, parsed, graph, 'agent:lead', 'agent:pal').ok).toBe(true);
  });
});

describe('removing', () => {
  const pal = 'may_call:agent:lead→agent:pal';
  it.each([
    ['with the last name, what holds the list', allow('pal'), 'version: 1\n'],
    ['one of two', allow('kid, pal'), `version: 1\ntoolsets:\n  lead: # its helpers\n${allow('kid')}`],
    [
      'the last beside other options, which leaves an empty list',
      allow('pal', ', create: allowed'),
      `version: 1\ntoolsets:\n  lead: # its helpers\n${allow('', ', create: allowed')}`,
    ],
    [
      'from both lists',
      `${allow('kid, pal')}    worker_tools: { workers: [pal] }\n`,
      `version: 1\ntoolsets:\n  lead: # its helpers\n${allow('kid')}`,
    ],
  ])('removes %s', (_, toolset, expected) => {
    const { folder, parsed, graph } = given(toolset);
    expect(settingsAfter(disconnect(folder, parsed, graph, pal))).toBe(expected);
  });

  it('removes the options of the delegation unless another list still allows it', () => {
    const options = 'delegations: { lead: { pal: { timeout_ms: 5 } } }\n';
    const alone = given(allow('kid, pal'), options);
    expect(settingsAfter(disconnect(alone.folder, alone.parsed, alone.graph, pal))).not.toContain('delegations');
    const everyone = given(allow('pal, "*"'), options);
    expect(settingsAfter(disconnect(everyone.folder, everyone.parsed, everyone.graph, pal))).toContain('timeout_ms');
  });

  it('forgets a worker that is deleted', () => {
    const { folder, parsed, graph } = given(allow('kid, pal'));
    const command = removeNodes(folder, parsed, graph, ['agent:pal']);
    expect(settingsAfter(command)).toContain(allow('kid'));
  });
});
