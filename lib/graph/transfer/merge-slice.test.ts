import { describe, expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { chainOf, pair, pairFiles, pastePair, read, sliceOf, source } from '@/lib/testing/pasted-pair';
import { findClashes, mergeSlice } from './merge-slice';

const guard = [{ spec: '../hooks.ts:guard', missing: false, policy: { on_error: 'skip' } }];

describe('a copy in the same project', () => {
  const { folder, agents, missing, files: added } = pastePair(source);
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
    const { folder, agents, missing } = pastePair(here);
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
    const { folder } = pastePair(
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
    const { rules } = readFolder(pastePair(plain).folder).settings.approvals;
    expect(rules?.[0]?.tools).toEqual(['time__*']);
    expect(rules?.[1]).toEqual({ tools: ['helper'], effect: 'ask', limit_s: 60 });
  });

  test('names guards of all agents that stay behind', () => {
    const guarded = new Map(source);
    const text = pairFiles['callboard.yaml'].replace(
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
