import { expect, test } from 'vitest';
import type { ApprovalRule, Approvals } from '@/lib/cards/approval-settings';
import type { PolicyDemand, PolicyRule } from '@/lib/cards/policy/rule';
import type { LogBody } from '@/lib/runtime/ports';
import { fakeClock } from '@/lib/testing/fake-clock';
import { type FakeTool, fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { type ToolToTry, tryTool } from './try-tool';

const send: FakeTool = (args) => `sent to ${args.to ?? 'nobody'}`;

interface Given {
  readonly approvals?: Approvals;
  readonly policy?: readonly PolicyRule[];
  readonly tool?: FakeTool;
  readonly changes?: Partial<ToolToTry>;
}

async function tried({ approvals = {}, policy = [], tool = send, changes = {} }: Given = {}) {
  const { settings, cards } = graphOf('lead', { settings: { approvals } });
  const [card] = cards;
  if (card?.type !== 'agent') throw new Error('The first card is an agent');
  const port = fakeTools({ mail__send: tool });
  const log: LogBody[] = [];
  const outcome = await tryTool({
    ...{ card, settings, policy, port, tool: 'mail__send', args: { to: 'ann' }, unchecked: false, isApproved: false },
    ...{ id: 'try-1', clock: fakeClock(), signal: new AbortController().signal, log: (body) => log.push(body) },
    ...changes,
  });
  return { outcome, calls: port.calls, log };
}

const ruleOf = (demand: PolicyDemand, level: PolicyRule['level'] = 'block'): PolicyRule => ({
  ...{ id: 'r1', name: 'Guarded mail', level, demand },
});
const asks: ApprovalRule = { tools: ['mail__*'], effect: 'ask' };
const teamAsks = ruleOf({ kind: 'approval', tools: ['mail__*'] });
const guarded: PolicyDemand = { kind: 'hook', tools: ['*'], hook: 'hooks.py:guard', place: 'any' };

test('a tool is called once, with a key that no other try has', async () => {
  const { outcome, calls } = await tried();
  expect(outcome).toMatchObject({
    ok: true,
    value: { tool: 'mail__send', result: { content: [{ type: 'text', text: 'sent to ann' }], isError: false } },
  });
  expect(calls).toEqual([{ name: 'mail__send', step: 'try-1', args: { to: 'ann' } }]);
});

test('without arguments the tool is only looked up', async () => {
  const { outcome, calls } = await tried({ changes: { args: undefined } });
  expect(outcome).toMatchObject({ ok: true, value: { inputSchema: { type: 'object' }, ms: 0 } });
  expect(outcome.ok && outcome.value.result).toBeUndefined();
  expect(calls).toEqual([]);
});

test('a tool that fails or throws has an error as its result', async () => {
  const { outcome } = await tried({ tool: () => Promise.reject(new Error('no line')) });
  expect(outcome).toMatchObject({ value: { result: { isError: true, content: [{ text: 'Error: no line' }] } } });
});

test('what the tool writes to the state is told', async () => {
  const tool: FakeTool = (_, { state }) => {
    state.write('last', 'ann');
    return 'ok';
  };
  expect((await tried({ tool })).outcome).toMatchObject({ value: { state: { last: 'ann' } } });
});

test('a long answer is cut as in a run', async () => {
  const { outcome } = await tried({ tool: () => 'x'.repeat(1_000_000) });
  expect(JSON.stringify(outcome).length).toBeLessThan(300_000);
  expect(JSON.stringify(outcome)).toContain('[cut: first');
});

test.each([
  ['the project', { approvals: { rules: [{ ...asks, effect: 'deny' as const }] } }, 'denied'],
  ['the agent', { approvals: { agents: { lead: 'deny' as const } } }, 'denied'],
  ['reject_all', { approvals: { mode: 'reject_all' as const, rules: [asks] } }, 'denied'],
])('a call that %s denies is not made, also not with an approval', async (_, given, code) => {
  const { outcome, calls } = await tried({ ...given, changes: { isApproved: true } });
  expect(outcome).toMatchObject({ ok: false, error: { code } });
  expect(calls).toEqual([]);
});

test('a call that needs an approval is made only with one, and the refusal names the setting', async () => {
  const { outcome, calls } = await tried({ approvals: { rules: [asks] } });
  expect(outcome).toEqual({
    ok: false,
    error: {
      code: 'approval_needed',
      message:
        "'mail__send' of agent 'lead' was not called: 'approvals.rules.0: mail__*' in callboard.yaml asks for an approval of each call.",
    },
  });
  expect(calls).toEqual([]);
  const approved = await tried({ approvals: { rules: [asks] }, changes: { isApproved: true } });
  expect(approved.calls).toHaveLength(1);
});

test('approve_all answers what the project asks, and not what a rule of the team asks', async () => {
  const approvals: Approvals = { mode: 'approve_all', rules: [asks] };
  expect((await tried({ approvals })).calls).toHaveLength(1);
  const { outcome, calls } = await tried({ approvals, policy: [teamAsks] });
  expect(outcome).toMatchObject({
    error: { code: 'approval_needed', message: expect.stringContaining("the rule 'Guarded mail' of your team") },
  });
  expect(calls).toEqual([]);
  expect((await tried({ approvals, policy: [teamAsks], changes: { isApproved: true } })).calls).toHaveLength(1);
});

test('a call that must go through a hook is not made, because no hooks run', async () => {
  const { outcome, calls } = await tried({ policy: [ruleOf(guarded)], changes: { isApproved: true } });
  expect(outcome).toMatchObject({
    error: { code: 'policy', message: expect.stringContaining('does not go through the hook hooks.py:guard') },
  });
  expect(calls).toEqual([]);
  const warned = await tried({ policy: [ruleOf(guarded, 'warn')] });
  expect(warned.calls).toHaveLength(1);
  expect(warned.log).toEqual([expect.objectContaining({ level: 'warning', code: 'policy' })]);
});

test('rules about other agents and tools do not count', async () => {
  const other = ruleOf({ kind: 'approval', tools: ['*'], agents: ['other'] });
  expect((await tried({ policy: [other, ruleOf({ ...guarded, tools: ['bank__*'] })] })).calls).toHaveLength(1);
});

test('arguments are checked by a schema that is known before anything starts', async () => {
  const knownSchema = { type: 'object', properties: { to: { type: 'number' } } };
  const port = fakeTools({});
  const { outcome } = await tried({ changes: { knownSchema, port } });
  expect(outcome).toMatchObject({
    error: { code: 'invalid_arguments', problems: [{ field: 'to', message: 'must be number' }] },
  });
  expect((await tried({ changes: { knownSchema, unchecked: true } })).calls).toHaveLength(1);
});

test('a tool that the agent does not have is not found', async () => {
  const { outcome } = await tried({ changes: { tool: 'mail__read' } });
  expect(outcome).toMatchObject({ error: { code: 'not_found', message: expect.stringContaining("'mail__read'") } });
});

test('a try that is stopped has no answer', async () => {
  const stop = new AbortController();
  const tool: FakeTool = () => {
    stop.abort();
    return 'too late';
  };
  expect((await tried({ tool, changes: { signal: stop.signal } })).outcome).toMatchObject({
    error: { code: 'cancelled' },
  });
});
