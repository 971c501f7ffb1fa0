import { describe, expect, it } from 'vitest';
import type { Issue } from '@/lib/base/issue';
import { folderOf } from '@/lib/cards/files';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { findEntry } from '@/lib/cards/project/entry';
import { readFolder } from '@/lib/cards/project/read-folder';
import { agentCard, graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { resolveModel } from './resolve-model';
import { runProblems } from './run-problem';
import { runnable } from './validate';

const fault = (file: string, line: number, severity: Issue['severity'] = 'error'): Issue => ({
  code: 'unknown-field',
  severity,
  stage: 'validator',
  file,
  line,
  column: 1,
  message: "Unknown field 'x'.",
});

function entryOf(parsed: ParsedFolder, agent?: string): string {
  const result = runnable(parsed, { agent });
  return result.ok ? result.value.entry.name : `${result.error.code}: ${result.error.message}`;
}

describe('the entry of a run', () => {
  it('is the agent asked for, then the entry of callboard.yaml, then the default card, then the only root', () => {
    const marked = { cards: { b: { isDefault: true } } };
    const settings = { entry: 'c' };
    expect(entryOf(graphOf('a > b, c', { ...marked, settings }), 'a')).toBe('a');
    expect(entryOf(graphOf('a > b, c', { ...marked, settings }))).toBe('c');
    expect(entryOf(graphOf('a > b, c', marked))).toBe('b');
    expect(entryOf(graphOf('a > b, c'))).toBe('a');
  });

  it('is the first of several that no other one uses, and agents made to be tools come last', () => {
    const parsed = readFolder(
      folderOf({
        'agent-cards/b.md': '---\nname: b\n---\n',
        'agent-cards/a.md': '---\nname: a\ntool_only: true\n---\n',
        'agent-cards/c.md': '---\nname: c\n---\n',
        '.fast-agent/tool-cards/0.md': '---\nname: helper\n---\n',
      }),
    );
    expect(findEntry(parsed)).toMatchObject({ is: 'first', card: { name: 'b' }, others: [{ name: 'c' }] });
    expect(runProblems(parsed, { agent: undefined, model: 'passthrough' })).toMatchObject([
      {
        code: 'entry-guessed',
        severity: 'warning',
        file: 'agent-cards/b.md',
        message: expect.stringContaining("a run begins at 'b', the first by file name; it could be 'c' as well."),
      },
    ]);
    expect(runProblems(parsed, { agent: 'c', model: 'passthrough' })).toEqual([]);
    expect(runProblems(parsed, { agent: 'c', model: undefined })).toMatchObject([
      { code: 'model-missing', severity: 'warning', file: 'agent-cards/c.md' },
    ]);
  });

  it('says what to do when there is none', () => {
    expect(entryOf(graphOf(''))).toBe('unknown_agent: The folder has no agent cards.');
    expect(entryOf(graphOf('a; b'), 'z')).toBe("unknown_agent: There is no agent 'z'. Agents: a, b.");
    expect(entryOf({ ...graphOf('a'), issues: [fault('z.md', 4)] }, 'z')).toBe(
      "cards_invalid: There is no agent 'z'. z.md:4: Unknown field 'x'.",
    );
  });

  it('is not another agent while the default card cannot be read', () => {
    const files = {
      'agent-cards/boss.md': '---\nname: boss\ndefault: true\nservers: [time,\n---\nLead.\n',
      'agent-cards/kid.md': '---\nname: kid\n---\nHelp.\n',
    };
    const parsed = readFolder(folderOf(files));
    expect(entryOf(parsed)).toMatch(/^cards_invalid: agent-cards\/boss\.md:\d+: /);
    expect(entryOf(parsed, 'kid')).toBe('kid');
    expect(entryOf({ ...parsed, settings: { ...parsed.settings, entry: 'kid' } })).toBe('kid');
    expect(findEntry(parsed)).toEqual({ is: 'unread', file: 'agent-cards/boss.md' });
  });

  it('runs nothing while two tools of it have one name', async () => {
    const parsed = readFolder(
      folderOf({
        'agent-cards/lead.md': '---\nname: lead\nmodel: passthrough\ndefault: true\nagents: [kid, pal]\n---\n',
        'agent-cards/kid.md': '---\nname: kid\n---\n',
        'agent-cards/pal.md': '---\nname: pal\n---\n',
        'callboard.yaml': 'version: 1\ndelegations: {lead: {kid: {tool_name: ask}, pal: {tool_name: ask}}}\n',
      }),
    );
    const model = scriptedModel({});
    const { outcome } = await runGraph({ parsed, model });
    expect(outcome.error?.code).toBe('cards_invalid');
    expect(outcome.error?.message).toContain("Child 'pal' and the child 'kid' would both be offered as 'ask'.");
    expect(model.requests).toEqual([]);
  });

  it('may be a workflow', () => {
    const base = graphOf('a');
    const { file, name, instruction, description, isDefault, toolOnly, schemaVersion } = agentCard('flow');
    const common = { file, name, instruction, description, isDefault, toolOnly, schemaVersion };
    const flow = { ...common, type: 'chain' as const, sequence: ['a'], cumulative: false };
    expect(entryOf({ ...base, cards: [...base.cards, flow] })).toBe('flow');
  });

  it('is stopped by errors of cards it can reach, and by no others', async () => {
    const graph = graphOf('a > b; b > c; z');
    const warnings = [fault('agent-cards/c.md', 2, 'warning'), fault('agent-cards/z.md', 3)];
    expect(entryOf({ ...graph, issues: warnings }, 'a')).toBe('a');
    const parsed = { ...graph, issues: [...warnings, fault('agent-cards/c.md', 7), fault('agent-cards/b.md', 9)] };
    const { outcome, log } = await runGraph({ parsed, model: scriptedModel({}), request: { agent: 'a' } });
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { code: 'cards_invalid', message: "agent-cards/c.md:7: Unknown field 'x'. (and 1 more)" },
    });
    expect(log.map(({ kind }) => kind)).toEqual(['run.started', 'run.finished']);
  });
});

describe('an agent with hooks', () => {
  it('does not run without them: one of them may be a guard', async () => {
    const guard = { spec: 'hooks.py:guard', file: 'agent-cards/hooks.py', functionName: 'guard' };
    const parsed = graphOf('lead', { cards: { lead: { toolHooks: { form: 'chain', chain: [guard] } } } });
    const model = scriptedModel({});
    const { outcome } = await runGraph({ parsed, model });
    expect(model.requests).toEqual([]);
    expect(outcome.error).toEqual({
      code: 'hooks_unavailable',
      message:
        "Agent 'lead' has hooks that cannot run here: hooks.py:guard. Remove them from agent-cards/lead.md to run it without.",
    });
  });
});

describe('the model of an agent', () => {
  const modelOf = (own: string | undefined, asked: string | undefined, folder = graphOf('a')): string => {
    const result = resolveModel(agentCard('a', { model: own }), folder, { model: asked });
    return result.ok ? [result.value.model, ...result.value.warnings].join(' ! ') : result.error.code;
  };

  it('is its own, then the one asked for, then the default of the config', () => {
    expect(modelOf('own', 'asked')).toBe('own');
    expect(modelOf(undefined, 'asked')).toBe('asked');
    expect(modelOf(undefined, undefined)).toBe('test-model');
    expect(modelOf(undefined, undefined, graphOf('a', { config: { defaultModel: undefined } }))).toBe('model_missing');
  });

  it('is the script for the whole run when asked for, or when nothing is asked and there are scripts', () => {
    const scripted = graphOf('a', { settings: { scripts: { a: [{ turns: [{ text: 'hi' }] }] } } });
    expect(modelOf('own', 'script')).toBe('script');
    expect(modelOf('own', undefined, scripted)).toBe('script');
    expect(modelOf('own', 'asked', scripted)).toBe('own');
  });

  it('follows references, and falls back with a warning when one leads nowhere', () => {
    const modelReferences = { system: { default: '$system.fast', fast: 'quick', loop: '$system.loop' } };
    const folder = graphOf('a', { config: { modelReferences } });
    expect(modelOf('$system.fast', 'asked', folder)).toBe('quick');
    expect(modelOf('$system.default', 'asked', folder)).toBe('asked');
    expect(modelOf('$system.default', undefined, folder)).toBe('quick');
    expect(modelOf('$my.key', undefined, folder)).toBe(
      "test-model ! Model of agent 'a': the reference $my.key is not in 'model_references'.",
    );
    expect(modelOf('$system.loop', undefined, folder)).toBe(
      "test-model ! Model of agent 'a': the reference $system.loop leads back to itself.",
    );
  });
});
