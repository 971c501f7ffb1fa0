import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApprovalEffect, Approvals } from './approval-settings';
import { decide, decideAttachments, type GateCall, isOpen } from './call-gate';
import { defaultSettings } from './settings';

const call: GateCall = { tools: ['mail__send'], callers: ['Clerk'], isInternal: false };
const effects = [undefined, 'allow', 'ask', 'deny'] as const;
type Said = (typeof effects)[number];

function policyOf(tool: Said, agent: Said, project: Said): Approvals {
  return {
    ...(tool && { rules: [{ tools: ['mail__*'], effect: tool }] }),
    ...(agent && { agents: { Clerk: agent } }),
    ...(project && { default: project }),
  };
}

const effectOf = (policy: Approvals, more: Partial<GateCall> = {}) => decide(policy, { ...call, ...more }).effect;

describe('the levels tool, agent and project', () => {
  it('combine so that a denial of the tool or the agent counts first, then the nearest level', () => {
    const table = effects.flatMap((tool) =>
      effects.map((agent) => {
        const row = effects.map((project) => effectOf(policyOf(tool, agent, project)));
        return `${tool ?? '-'} ${agent ?? '-'}: ${row.join(' ')}`;
      }),
    );
    // Columns: nothing, allow, ask, deny as the project's default.
    expect(table).toEqual([
      '- -: allow allow ask deny',
      '- allow: allow allow allow allow',
      '- ask: ask ask ask ask',
      '- deny: deny deny deny deny',
      'allow -: allow allow allow allow',
      'allow allow: allow allow allow allow',
      'allow ask: allow allow allow allow',
      'allow deny: deny deny deny deny',
      'ask -: ask ask ask ask',
      'ask allow: ask ask ask ask',
      'ask ask: ask ask ask ask',
      'ask deny: deny deny deny deny',
      'deny -: deny deny deny deny',
      'deny allow: deny deny deny deny',
      'deny ask: deny deny deny deny',
      'deny deny: deny deny deny deny',
    ]);
  });

  it('name the setting that decided, and its level', () => {
    const why = (tool: Said, agent: Said, project: Said) => decide(policyOf(tool, agent, project), call).why;
    expect(why('ask', 'ask', 'ask')).toEqual({ rule: 'approvals.rules.0: mail__*', level: 'tool' });
    expect(why(undefined, 'ask', 'ask')).toEqual({ rule: 'approvals.agents.Clerk', level: 'agent' });
    expect(why(undefined, undefined, 'ask')).toEqual({ rule: 'approvals.default', level: 'project' });
    expect(why('allow', 'deny', 'ask')).toEqual({ rule: 'approvals.agents.Clerk', level: 'agent' });
    expect(why(undefined, undefined, undefined)).toBeUndefined();
  });

  it('count a delegation as a rule that names the tool', () => {
    const edge = (effect: ApprovalEffect) => ({ edge: { effect, rule: 'delegations.a.b.approval' } });
    expect(effectOf(policyOf('allow', undefined, undefined), edge('ask'))).toBe('ask');
    expect(effectOf(policyOf('ask', undefined, undefined), edge('deny'))).toBe('deny');
    expect(effectOf(policyOf(undefined, 'ask', undefined), edge('allow'))).toBe('allow');
    expect(decide({}, { ...call, ...edge('ask') }).why).toEqual({ rule: 'delegations.a.b.approval', level: 'tool' });
  });

  it('know an agent that is called through worker_call by the name of its own tool too', () => {
    const tools = ['worker_call', 'agent__Kid'];
    expect(effectOf({ rules: [{ tools: ['agent__Kid'], effect: 'deny' }] }, { tools })).toBe('deny');
    expect(effectOf({ rules: [{ tools: ['worker_call'], effect: 'ask' }] }, { tools })).toBe('ask');
  });

  it('allow a created agent no more than its creator', () => {
    const callers = ['made', 'Clerk'];
    expect(effectOf(policyOf(undefined, 'ask', undefined), { callers })).toBe('ask');
    expect(effectOf({ agents: { Clerk: 'deny', made: 'allow' } }, { callers })).toBe('deny');
    expect(effectOf({ rules: [{ tools: ['*'], agents: ['Clerk'], effect: 'ask' }] }, { callers })).toBe('ask');
  });

  it('ask nothing about built-in tools that reach nothing outside, unless a rule names them', () => {
    const internal = { isInternal: true, tools: ['get_state'] };
    expect(effectOf({ default: 'deny', agents: { Clerk: 'deny' } }, internal)).toBe('allow');
    expect(effectOf({ rules: [{ tools: ['get_*'], effect: 'ask' }] }, internal)).toBe('ask');
  });

  it('let an empty list name nothing', () => {
    expect(effectOf({ rules: [{ tools: [], effect: 'deny' }] })).toBe('allow');
    expect(effectOf({ rules: [{ tools: ['*'], agents: [], effect: 'deny' }] })).toBe('allow');
    expect(effectOf({ agents: Object.fromEntries([]) }, { callers: ['constructor', '__proto__'] })).toBe('allow');
  });

  it('take the strictest of what several rules add', () => {
    const rules: Approvals['rules'] = [
      { tools: ['*'], effect: 'ask', limit_s: 60 },
      { tools: ['mail__*'], effect: 'ask', edit: false, limit_s: 10, at_limit: 'fail' },
      { tools: ['mail__send'], effect: 'ask', on_denied: 'fail', limit_s: 10 },
      { tools: ['mail__send'], effect: 'allow', limit_s: 1 },
    ];
    expect(decide({ rules }, call)).toEqual({
      effect: 'ask',
      why: { rule: 'approvals.rules.0: *', level: 'tool' },
      editable: false,
      onDenied: 'fail',
      limit: { seconds: 10, outcome: 'fail' },
    });
  });
});

const effect = fc.constantFrom<ApprovalEffect>('allow', 'ask', 'deny');
const rules = fc.array(
  fc.record({
    tools: fc.array(fc.constantFrom('mail__send', 'mail__*', '*', 'time__now'), { maxLength: 2 }),
    agents: fc.option(fc.array(fc.constantFrom('Clerk', 'Lead'), { maxLength: 2 }), { nil: undefined }),
    effect,
  }),
  { maxLength: 5 },
);
const policies: fc.Arbitrary<Approvals> = fc.record(
  { rules, agents: fc.dictionary(fc.constantFrom('Clerk', 'Lead'), effect), default: effect },
  { requiredKeys: [] },
);

describe('the gate, for any policy', () => {
  it('is not loosened by the order of its rules', () => {
    fc.assert(
      fc.property(policies, ({ rules: given = [], ...rest }) => {
        expect(effectOf({ ...rest, rules: given.toReversed() })).toBe(effectOf({ ...rest, rules: given }));
      }),
    );
  });

  it('is never loosened by one more rule that asks or denies', () => {
    const rank = { allow: 0, ask: 1, deny: 2 };
    fc.assert(
      fc.property(policies, fc.constantFrom<ApprovalEffect>('ask', 'deny'), (policy, added) => {
        const before = effectOf(policy);
        // A rule is nearer than a default, so a tool that asks is no longer denied by the default.
        if (before === 'deny' && added === 'ask' && effectOf({ ...policy, default: 'allow' }) !== 'deny') return;
        const after = effectOf({
          ...policy,
          rules: [...(policy.rules ?? []), { tools: ['mail__send'], effect: added }],
        });
        expect(rank[after]).toBeGreaterThanOrEqual(Math.min(rank[before], rank[added]));
        if (added === 'deny') expect(after).toBe('deny');
      }),
    );
  });

  it('asks nothing where nothing is set', () => {
    expect(decide({}, call)).toMatchObject({ effect: 'allow', why: undefined });
    expect(isOpen(defaultSettings)).toBe(true);
    fc.assert(
      fc.property(policies, (approvals) => {
        if (isOpen({ ...defaultSettings, approvals })) expect(effectOf(approvals)).toBe('allow');
      }),
    );
    expect(isOpen({ ...defaultSettings, approvals: { attachments: 'ask' } })).toBe(false);
    expect(isOpen({ ...defaultSettings, delegations: { a: { b: { approval: 'ask' } } } })).toBe(false);
    expect(isOpen({ ...defaultSettings, delegation_defaults: { attachments: { approval: 'ask' } } })).toBe(false);
  });
});

it('the setting of a delegation about files counts before the setting of the project', () => {
  const ask = { attachments: 'ask' as const };
  expect(decideAttachments({}, {}, 'e').effect).toBe('allow');
  expect(decideAttachments(ask, {}, 'e')).toEqual({
    effect: 'ask',
    why: { rule: 'approvals.attachments', level: 'project' },
  });
  expect(decideAttachments(ask, { attachments: { approval: 'allow' } }, 'e').effect).toBe('allow');
  expect(decideAttachments({}, { attachments: { approval: 'ask' } }, 'e')).toEqual({
    effect: 'ask',
    why: { rule: 'e.attachments.approval', level: 'tool' },
  });
});
