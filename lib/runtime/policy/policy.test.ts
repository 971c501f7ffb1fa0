import { describe, expect, it } from 'vitest';
import type { PolicyDemand, PolicyRule } from '@/lib/cards/policy/rule';
import { textOf } from '@/lib/runtime/record/messages';
import { chainOf, type FakeHook, fakeHooks } from '@/lib/testing/fake-hooks';
import { type FakeTool, fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { mail, runAsking } from '@/lib/testing/run-asking';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { modelsWithin } from './models-within';

const ruleOf = (demand: PolicyDemand, level: PolicyRule['level'] = 'block'): PolicyRule => ({
  id: 'r1',
  name: 'Guarded mail',
  level,
  demand,
});
const guard = (place: 'any' | 'first' | 'last', tools: readonly string[] = ['mail__*']) =>
  ruleOf({ kind: 'hook', tools: [...tools], hook: 'hooks.py:guard', place });
const passing: FakeHook = { around: (_, args, next) => next(args) };
const mailTools: Readonly<Record<string, FakeTool>> = { mail__send: () => 'sent', files__read: () => 'read' };

async function callOnce({
  rule,
  hooks = {},
  tool = 'mail__send',
  policies = {},
}: {
  readonly rule: PolicyRule;
  readonly hooks?: Readonly<Record<string, FakeHook>>;
  readonly tool?: string;
  readonly policies?: Readonly<Record<string, { on_error?: 'fail' | 'skip' }>>;
}) {
  const names = Object.keys(hooks);
  const tools = fakeTools(mailTools);
  const parsed = graphOf('lead', {
    cards: { lead: names.length > 0 ? chainOf(...names) : {} },
    settings: { hooks: policies },
  });
  const { sink } = await runGraph({
    parsed,
    policy: [rule],
    hooks: fakeHooks(hooks),
    model: scriptedModel({ lead: [{ calls: [{ tool, arguments: {} }] }, 'done'] }),
    tools: { mcp: tools },
  });
  const [ended] = sink.of('tool.ended');
  return { text: textOf(ended?.result.content ?? []), ran: tools.calls.length, sink };
}

describe('a rule that demands a hook', () => {
  it('refuses a call without the hook, names the rule and the hook, and runs nothing', async () => {
    const { text, ran } = await callOnce({ rule: guard('any') });
    expect(text).toBe(
      "Error: The rule 'Guarded mail' of your team is broken: a call of 'mail__send' does not go through the hook hooks.py:guard.",
    );
    expect(ran).toBe(0);
  });

  it('lets a call with the hook pass, and calls of other tools without it', async () => {
    expect(await callOnce({ rule: guard('first'), hooks: { guard: passing } })).toMatchObject({ text: 'sent', ran: 1 });
    expect(await callOnce({ rule: guard('first'), tool: 'files__read' })).toMatchObject({ text: 'read', ran: 1 });
  });

  it('wants the hook at its place', async () => {
    const inside = await callOnce({ rule: guard('first'), hooks: { other: passing, guard: passing } });
    expect(inside.text).toContain('goes through another hook before the hook hooks.py:guard');
    const outside = await callOnce({ rule: guard('last'), hooks: { guard: passing, other: passing } });
    expect(outside.text).toContain('goes through another hook after the hook hooks.py:guard');
    expect((await callOnce({ rule: guard('last'), hooks: { other: passing, guard: passing } })).ran).toBe(1);
    expect((await callOnce({ rule: guard('any'), hooks: { other: passing, guard: passing } })).ran).toBe(1);
  });

  it('wants the hook to fail closed', async () => {
    const policies = { 'hooks.py:guard': { on_error: 'skip' as const } };
    const open = await callOnce({ rule: guard('any'), hooks: { guard: passing }, policies });
    expect([open.ran, open.text]).toEqual([0, expect.stringContaining('goes on when the hook hooks.py:guard fails')]);
  });

  it('is not passed by a hook that runs the tool itself, past those further in', async () => {
    const short: FakeHook = { around: (_, args, next) => next(args, 'tool') };
    const deny: FakeHook = { around: () => 'guarded' };
    const { text, ran } = await callOnce({ rule: guard('any'), hooks: { short, guard: deny } });
    expect([text, ran]).toEqual(['guarded', 0]);
  });

  it('is only noted in the log where it warns', async () => {
    const { ran, sink } = await callOnce({ rule: { ...guard('any'), level: 'warn' } });
    expect(ran).toBe(1);
    expect(sink.of('log').map(({ code, message }) => [code, message])).toEqual([
      ['policy', expect.stringContaining("The rule 'Guarded mail' of your team is broken")],
    ]);
  });

  it('holds for a child that is called without the hooks of the run, and for a call of a child', async () => {
    const parsed = graphOf('lead > kid');
    const run = await runGraph({
      parsed,
      policy: [guard('any', ['agent__kid'])],
      model: scriptedModel({
        lead: [{ calls: [{ tool: 'agent__kid', arguments: { text: 'go' } }] }, 'done'],
        kid: ['hi'],
      }),
    });
    expect(run.sink.of('tool.ended').map(({ result }) => textOf(result.content))).toEqual([
      expect.stringContaining("a call of 'agent__kid' does not go through the hook"),
    ]);
    expect(run.sink.of('instance.started').map(({ path }) => path)).toEqual(['lead']);
    expect(run.outcome.answer).toBe('done');
  });
});

describe('a rule that demands an approval', () => {
  const rule = ruleOf({ kind: 'approval', tools: ['*'], writes: true });

  it('asks for calls that nothing in the project asks for, and says which rule asks', async () => {
    const { asked, results } = await runAsking({ approvals: {}, more: { policy: [rule] } });
    expect(asked.map(({ why }) => why)).toEqual([{ rule: 'Guarded mail', level: 'team' }]);
    expect(results).toEqual([['ok', expect.stringContaining('sent to')]]);
  });

  it('cannot be answered by the project itself, neither by its mode nor by a rule that allows', async () => {
    const approvals = { mode: 'approve_all', rules: [{ tools: ['mail__*'], effect: 'allow' }] } as const;
    const { asked } = await runAsking({
      approvals: { ...approvals, rules: approvals.rules.map((one) => ({ ...one, tools: [...one.tools] })) },
      more: { policy: [rule] },
    });
    expect(asked).toHaveLength(1);
  });

  it('does not ask for what the project denies', async () => {
    const approvals = { rules: [{ tools: ['mail__*'], effect: 'deny' as const }] };
    const { asked, results } = await runAsking({ approvals, more: { policy: [rule] } });
    expect([asked.length, results[0]?.[0]]).toEqual([0, 'APPROVAL_BLOCKED']);
  });

  it('does not ask for tools that declare that they only read, nor for other agents', async () => {
    const turns = [{ calls: [mail('ann')] }, 'done'];
    const others = ruleOf({ kind: 'approval', tools: ['*'], agents: ['other*'] });
    expect((await runAsking({ approvals: {}, turns, more: { policy: [others] } })).asked).toEqual([]);
  });
});

describe('a rule about models', () => {
  it('is asked at the one way to a model', async () => {
    const rule = ruleOf({ kind: 'models', allow: ['openai.gpt-*'] });
    const inner = scriptedModel({ lead: ['hello'] });
    const run = await runGraph({ parsed: graphOf('lead'), model: modelsWithin(inner, [rule]) });
    expect(run.outcome.error).toEqual({
      code: 'policy',
      message:
        "Agent 'lead': The rule 'Guarded mail' of your team is broken: the model 'test-model' is not on its list.",
    });
    const allowed = ruleOf({ kind: 'models', allow: ['openai.*', 'test-*'] });
    const fine = await runGraph({ parsed: graphOf('lead'), model: modelsWithin(inner, [allowed]) });
    expect(fine.outcome.answer).toBe('hello');
  });
});
