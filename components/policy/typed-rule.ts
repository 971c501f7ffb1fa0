import type { PolicyDemand, PolicyRuleBody, policyPlaces } from '@/lib/cards/policy/rule';

/** A rule as it is typed: lists are texts with commas. */
export interface TypedRule {
  readonly name: string;
  readonly level: PolicyRuleBody['level'];
  readonly kind: PolicyDemand['kind'];
  readonly tools: string;
  readonly agents: string;
  readonly writes: boolean;
  readonly hook: string;
  readonly place: (typeof policyPlaces)[number];
  readonly allow: string;
}

export const emptyRule: TypedRule = {
  name: '',
  level: 'block',
  kind: 'hook',
  tools: '*',
  agents: '',
  writes: false,
  hook: '',
  place: 'first',
  allow: '',
};

/** Returns a stored rule as it is typed. */
export function typedRule({ name, level, demand }: PolicyRuleBody): TypedRule {
  const common = { ...emptyRule, name, level, kind: demand.kind };
  switch (demand.kind) {
    case 'hook':
    case 'approval': {
      const { tools, agents = [], writes = false } = demand;
      const calls = { ...common, tools: tools.join(', '), agents: agents.join(', '), writes };
      return demand.kind === 'hook' ? { ...calls, hook: demand.hook, place: demand.place } : calls;
    }
    case 'servers':
    case 'models':
      return { ...common, allow: demand.allow.join('\n') };
    case 'no_shell':
    case 'no_python':
    case 'no_hidden_characters':
      return common;
  }
}

/**
 * Returns the rule that was typed, or a sentence that says what is missing. `sources` of a stored rule stay, because the form does not have
 * them.
 */
export function ruleOfTyped(typed: TypedRule, before?: PolicyDemand): PolicyRuleBody | string {
  const name = typed.name.trim();
  if (name === '') return 'Give the rule a name. Refusals name it.';
  const demand = demandOfTyped(typed, before);
  return typeof demand === 'string' ? demand : { name, level: typed.level, demand };
}

function demandOfTyped(typed: TypedRule, before: PolicyDemand | undefined): PolicyDemand | string {
  const { kind } = typed;
  switch (kind) {
    case 'hook':
    case 'approval': {
      const tools = wordsOf(typed.tools);
      if (tools.length === 0) return 'Name the tools, or write * for all of them.';
      const agents = wordsOf(typed.agents);
      const sources = before !== undefined && 'sources' in before ? before.sources : undefined;
      const calls = {
        tools,
        ...(sources && { sources }),
        ...(typed.writes && { writes: true }),
        ...(agents.length > 0 && { agents }),
      };
      if (kind === 'approval') return { kind, ...calls };
      const hook = typed.hook.trim();
      if (hook === '') return 'Name the hook: path/of/file.ts:function, or a hook without code such as redact.';
      return { kind, ...calls, hook, place: typed.place };
    }
    case 'servers':
    case 'models': {
      // A command line has commas and spaces of its own, so each pattern has a line.
      const allow = typed.allow.split('\n').flatMap((line) => line.trim() || []);
      if (allow.length === 0) return 'Name at least one, in a line of its own.';
      return { kind, allow };
    }
    case 'no_shell':
    case 'no_python':
    case 'no_hidden_characters':
      return { kind };
  }
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
