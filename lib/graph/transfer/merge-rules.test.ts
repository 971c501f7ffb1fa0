import { describe, expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { pasteCards, read, sliceOf } from '@/lib/testing/pasted-pair';
import { mergeSlice } from './merge-slice';

describe('nothing that was here before is decided in another way', () => {
  const card = (name: string, more = '') => `---\nname: ${name}\n${more}---\nWork.\n`;
  const settings = (text: string) => ({ 'callboard.yaml': `version: 1\n${text}` });

  test('the policy of a hook comes only with its code', () => {
    const hooks = 'export async function guard(ctx, args, next) {\n  return next(args);\n}\n';
    const there = {
      'agent-cards/a.md': card('a', 'tool_hooks: [../hooks.ts:guard]\n'),
      'hooks.ts': hooks,
      ...settings('hooks: {"../hooks.ts:guard": {on_error: skip}}\n'),
    };
    const both = pasteCards(there, ['a'], { 'agent-cards/b.md': card('b'), 'hooks.ts': hooks });
    expect(both.settings.hooks).toEqual({});
    expect(both.missing).toEqual([expect.stringContaining("'../hooks.ts:guard' is different here")]);
    expect(pasteCards(there, ['a'], {}).settings.hooks).toEqual({ '../hooks.ts:guard': { on_error: 'skip' } });
  });

  test('what a server may ask for comes only with the server, under its name here', () => {
    const server = (word: string) => ({ 'fast-agent.yaml': `mcp:\n  servers:\n    time: {command: ${word}}\n` });
    const there = {
      'agent-cards/a.md': card('a', 'servers: [time]\n'),
      ...server('x'),
      ...settings('mcp: {servers: {time: {sampling: allow}}}\n'),
    };
    expect(pasteCards(there, ['a'], server('y')).settings.mcp.servers).toEqual({ 'time-2': { sampling: 'allow' } });
    expect(pasteCards(there, ['a'], server('x')).settings.mcp.servers).toBeUndefined();
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
    expect(pasteCards(there, ['a'], { 'agent-cards/boss.md': card('boss') }).settings.approvals.rules).toEqual(wanted);
  });

  test('a wider rule is no twin, and gives the new agents nothing', () => {
    const rule = (tools: string) =>
      settings(`approvals: {default: ask, rules: [{tools: [${tools}], agents: [ops], effect: allow}]}\n`);
    const cards = { 'agent-cards/ops.md': card('ops') };
    const { settings: now } = pasteCards({ ...cards, ...rule('"time__*"') }, ['ops'], {
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
    const { settings: now, missing } = pasteCards(project, ['Helper'], project);
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
    expect(pasteCards(project, ['helper'], project).settings.approvals.rules).toEqual([
      { tools: ['*_helper', 'agent__helper-2'], agents: ['boss'], effect: 'ask' },
    ]);
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
