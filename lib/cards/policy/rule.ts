import { z } from 'zod';

/**
 * A rule that a team sets for its projects, and that the people who edit them cannot change: it is kept in the database, not in the folder.
 * docs/policy.md explains each kind.
 */

const pattern = z.string().trim().min(1).max(200);
const patterns = z.array(pattern).min(1, 'name at least one').max(100);

/** The sources of calls a rule can be about, as in `toolSource` of hooks. */
export const policySources = ['mcp', 'function', 'agent', 'runtime'] as const;

/** Which calls a rule is about. */
const calls = z.strictObject({
  /** Patterns (`*`, `?`) of names: as the model sees the tool, or its own name on its server. */
  tools: patterns,
  /** By default tools of every source. */
  sources: z.array(z.enum(policySources)).min(1).optional(),
  /** Only tools that may write: all but MCP tools that declare that they only read, and built-in tools that reach nothing outside. */
  writes: z.boolean().optional(),
  /** Patterns of names of agents. By default the calls of every agent. */
  agents: patterns.optional(),
});
export type PolicyCalls = z.output<typeof calls>;

export const policyPlaces = ['any', 'first', 'last'] as const;

const demand = z.discriminatedUnion('kind', [
  calls.extend({
    kind: z.literal('hook'),
    /** `path/of/file.ts:function`, or the name of a hook without code, such as `redact`. */
    hook: pattern,
    /** `first`: the outermost hook of the call. `last`: the one next to the tool. */
    place: z.enum(policyPlaces),
  }),
  calls.extend({ kind: z.literal('approval') }),
  z.strictObject({
    kind: z.literal('servers'),
    /** Patterns of hosts (`*.example.org`) and of whole command lines (`npx -y @team/*`). */
    allow: patterns,
  }),
  z.strictObject({
    kind: z.literal('models'),
    /** Patterns of models with their provider, such as `openai.*`. */
    allow: patterns,
  }),
  z.strictObject({ kind: z.literal('no_shell') }),
  z.strictObject({ kind: z.literal('no_python') }),
  /** The issues `hidden-characters` and `look-alike-names`. */
  z.strictObject({ kind: z.literal('no_hidden_characters') }),
]);
export type PolicyDemand = z.output<typeof demand>;
export type DemandOf<K extends PolicyDemand['kind']> = Extract<PolicyDemand, { kind: K }>;

export const policyLevels = ['block', 'warn'] as const;

export const policyRuleBody = z.strictObject({
  /** What people call the rule. It is named in every refusal. */
  name: z.string().trim().min(1, 'give the rule a name').max(100),
  /** `block`: nothing that breaks it is published or run. `warn`: it is said where people look, and nothing is stopped. */
  level: z.enum(policyLevels),
  demand,
});
export type PolicyRuleBody = z.output<typeof policyRuleBody>;

/** A rule that is in force. */
export interface PolicyRule extends PolicyRuleBody {
  readonly id: string;
}

/** A rule that is broken, and where. */
export interface PolicyBreach {
  readonly rule: PolicyRule;
  /** Names the rule and says what is wrong, as a sentence. */
  readonly message: string;
  readonly file?: string | undefined;
  /** Counts from 1. */
  readonly line?: number | undefined;
}

/** Names the rule and says what is wrong. */
export function breachSentence({ name }: Pick<PolicyRule, 'name'>, what: string): string {
  return `The rule '${name}' of your team is broken: ${what}.`;
}

/** Says what a rule demands, as a sentence. */
export function ruleSentence(demand: PolicyDemand): string {
  switch (demand.kind) {
    case 'hook': {
      const place = { any: '', first: ' as the first hook', last: ' as the last hook' }[demand.place];
      return `${callsOf(demand)} must go through the hook ${demand.hook}${place}, and fail when it fails.`;
    }
    case 'approval':
      return `${callsOf(demand)} must be approved by a person.`;
    case 'servers':
      return `Only these servers: ${demand.allow.join(', ')}.`;
    case 'models':
      return `Only these models: ${demand.allow.join(', ')}.`;
    case 'no_shell':
      return 'No agent may have a shell.';
    case 'no_python':
      return 'No Python tools or hooks.';
    case 'no_hidden_characters':
      return 'No characters that nobody sees, and no names that look alike.';
  }
}

function callsOf({ tools, sources, writes, agents }: PolicyCalls): string {
  const which = writes === true ? 'that may write' : '';
  const names = tools.includes('*') ? 'all tools' : tools.join(', ');
  const from = sources === undefined ? '' : ` (${sources.join(', ')})`;
  const by = agents === undefined ? '' : ` by ${agents.join(', ')}`;
  return `Calls of ${[names, which].filter((part) => part !== '').join(' ')}${from}${by}`;
}
