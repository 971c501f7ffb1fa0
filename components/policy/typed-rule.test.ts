import { describe, expect, it } from 'vitest';
import type { PolicyDemand, PolicyRuleBody } from '@/lib/cards/policy/rule';
import { emptyRule, ruleOfTyped, typedRule } from './typed-rule';

const demands: readonly PolicyDemand[] = [
  { kind: 'hook', tools: ['mail__*', 'send'], hook: 'hooks/guard.ts:guard', place: 'first', agents: ['writer'] },
  { kind: 'hook', tools: ['*'], sources: ['mcp'], hook: 'redact', place: 'any' },
  { kind: 'approval', tools: ['*'], writes: true },
  { kind: 'servers', allow: ['*.example.org', 'npx -y @team/mail, strict'] },
  { kind: 'models', allow: ['openai.*'] },
  { kind: 'no_shell' },
  { kind: 'no_python' },
  { kind: 'no_hidden_characters' },
];

describe('a rule that is typed into the form', () => {
  it.each(demands)('$kind comes back as it was stored', (demand) => {
    const rule: PolicyRuleBody = { name: 'A rule', level: 'warn', demand };
    expect(ruleOfTyped(typedRule(rule), demand)).toEqual(rule);
  });

  it('says what is missing', () => {
    const named = { ...emptyRule, name: 'A rule' };
    expect(ruleOfTyped(emptyRule)).toContain('Give the rule a name');
    expect(ruleOfTyped(named)).toContain('Name the hook');
    expect(ruleOfTyped({ ...named, tools: ' , ' })).toContain('Name the tools');
    expect(ruleOfTyped({ ...named, kind: 'models', allow: '\n ' })).toContain('Name at least one');
  });
});
