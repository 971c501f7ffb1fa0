import type { JsonObject } from '@/lib/base/json';
import { type AgentCard, type Card, toolHookPhases } from '@/lib/cards/card';

/** The place of a value in the card's front matter. */
export type FieldPath = readonly (string | number)[];

interface FieldBase {
  readonly path: FieldPath;
  readonly label: string;
  readonly hint?: string;
}

export type CardField =
  | (FieldBase & {
      readonly kind: 'text' | 'lines';
      readonly value: string | undefined;
      readonly placeholder?: string;
    })
  | (FieldBase & {
      readonly kind: 'number';
      readonly value: number | undefined;
      readonly whole: boolean;
      readonly placeholder?: string;
      /** Smaller numbers are refused and not written. */
      readonly least?: number;
    })
  | (FieldBase & { readonly kind: 'flag'; readonly value: boolean; readonly fallback: boolean })
  | (FieldBase & {
      readonly kind: 'choice';
      readonly value: string | undefined;
      readonly options: readonly string[];
      /** The text shown while the field is not set. */
      readonly unset: string;
    })
  | (FieldBase & {
      readonly kind: 'name';
      readonly value: string | undefined;
      /** The text for "none". It is absent for a field that every card of the type needs. */
      readonly unset?: string;
    })
  | (FieldBase & {
      readonly kind: 'names';
      readonly of: 'agents' | 'servers';
      readonly value: readonly string[];
      /** True if a name may occur several times. */
      readonly repeats?: boolean;
    })
  /** A model, which a picker offers; `unset` is the text for "none". */
  | (FieldBase & { readonly kind: 'model'; readonly value: string | undefined; readonly unset: string })
  | (FieldBase & { readonly kind: 'pairs'; readonly value: Readonly<Record<string, string>> })
  | (FieldBase & { readonly kind: 'specs'; readonly value: readonly CodeSpec[]; readonly placeholder: string })
  | (FieldBase & { readonly kind: 'patterns'; readonly value: readonly string[] | undefined });

/** A function in a file, such as `tools.py:add_one`, and the path of that file in the project. */
export interface CodeSpec {
  readonly spec: string;
  readonly file: string;
}

export interface FieldGroup {
  readonly title: string;
  readonly fields: readonly CardField[];
}

export const cardTypes = [
  'agent',
  'chain',
  'parallel',
  'evaluator_optimizer',
  'router',
  'orchestrator',
  'iterative_planner',
  'MAKER',
  'a2a',
] as const;

/** Returns the fields of a card's type in groups, with their present values. Name and instruction are not among them. */
export function cardFields(card: Card): readonly FieldGroup[] {
  const who = { title: 'Agent', fields: identity(card) };
  return [
    // What a workflow does comes from its members, what an agent does from its instruction.
    ...(card.type === 'agent' ? [who, ...ownGroups(card)] : [...ownGroups(card), who]),
    {
      title: 'Role',
      fields: [
        flag('default', 'Default agent', card.isDefault, false, 'Runs start here when no agent is named.'),
        flag('tool_only', 'Tool only', card.toolOnly, false, 'Never an entry; only called by others.'),
      ],
    },
  ];
}

function identity(card: Card): CardField[] {
  return [
    { kind: 'choice', path: ['type'], label: 'Type', value: card.type, options: cardTypes, unset: 'agent' },
    {
      kind: 'lines',
      path: ['description'],
      label: 'Description',
      value: card.description,
      placeholder: 'What a parent reads about this agent',
    },
  ];
}

/** Returns the fields of each type of card. It is longer than 80 lines because it is a table of nine types. */
function ownGroups(card: Card): readonly FieldGroup[] {
  switch (card.type) {
    case 'agent':
      return agentGroups(card);
    case 'chain':
      return [
        {
          title: 'Chain',
          fields: [
            { ...names('sequence', 'Sequence', 'agents', card.sequence), repeats: true },
            flag('cumulative', 'Cumulative', card.cumulative, false, 'Each agent sees all answers before it.'),
          ],
        },
      ];
    case 'parallel':
      return [
        {
          title: 'Parallel',
          fields: [
            names('fan_out', 'Fan out', 'agents', card.fanOut),
            name('fan_in', 'Fan in', card.fanIn, 'None: the answers are joined as they are'),
            flag(
              'include_request',
              'Include the request',
              card.includeRequest,
              true,
              'The fan-in reads the request before the answers.',
            ),
          ],
        },
      ];
    case 'evaluator_optimizer':
      return [
        {
          title: 'Refinement',
          fields: [
            name('generator', 'Generator', card.generator),
            name('evaluator', 'Evaluator', card.evaluator),
            choice('min_rating', 'Good enough at', card.minRating, ['POOR', 'FAIR', 'GOOD', 'EXCELLENT'], 'GOOD'),
            number('max_refinements', 'Refinements at most', card.maxRefinements, '3', 0),
            {
              ...text(
                'refinement_instruction',
                'Refinement instruction',
                card.refinementInstruction,
                'What the generator is told with the feedback',
              ),
              kind: 'lines',
            },
          ],
        },
      ];
    case 'router':
      return [
        {
          title: 'Router',
          fields: [
            names('agents', 'Routes to', 'agents', card.agents),
            names('servers', 'MCP servers', 'servers', card.servers),
          ],
        },
        modelGroup(card, false),
      ];
    case 'orchestrator':
      return [
        {
          title: 'Plan',
          fields: [
            names('agents', 'Agents', 'agents', card.agents),
            choice('plan_type', 'Plan type', card.planType, ['full', 'iterative'], 'full'),
            number('plan_iterations', 'Plan iterations', card.planIterations, '5', 1),
          ],
        },
        modelGroup(card, false),
      ];
    case 'iterative_planner':
      return [
        {
          title: 'Plan',
          fields: [
            names('agents', 'Agents', 'agents', card.agents),
            number('plan_iterations', 'Plan iterations', noLimit(card.planIterations), 'no limit', 1),
            model(card.model),
          ],
        },
      ];
    case 'MAKER':
      return [
        {
          title: 'Voting',
          fields: [
            name('worker', 'Worker', card.worker),
            number('k', 'Lead to win (k)', card.k, '3', 1),
            number('max_samples', 'Samples at most', card.maxSamples, '50', 1),
            choice('match_strategy', 'Match', card.matchStrategy, ['exact', 'normalized', 'structured'], 'exact'),
            number('red_flag_max_length', 'Longest answer', card.redFlagMaxLength, 'no limit', 1),
          ],
        },
      ];
    case 'a2a':
      return [
        {
          title: 'Remote agent',
          fields: [
            text('url', 'URL', card.url, 'https://agents.example.com'),
            choice('transport', 'Transport', card.transport, ['JSONRPC', 'HTTP+JSON'], 'as the agent offers'),
            { ...number('request_timeout_seconds', 'Timeout (s)', card.requestTimeoutSeconds, '120', 1), whole: false },
            {
              kind: 'pairs',
              path: ['headers'],
              label: 'Headers',
              value: card.headers,
              // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what a person writes
              hint: 'Name: value, one per line. Write a secret as ${NAME}: an administrator lists the names that a run may read.',
            },
            text('relative_card_path', 'Path of its agent card', card.relativeCardPath, '/.well-known/agent-card.json'),
            flag('streaming', 'Streaming', card.streaming, true, 'Answers arrive while they are written.'),
            flag('polling', 'Polling', card.polling, false, 'Asks for the state of the task again and again.'),
          ],
        },
      ];
  }
}

function agentGroups(card: AgentCard): readonly FieldGroup[] {
  const filters: CardField[] = card.servers.map((server) => ({
    kind: 'patterns',
    path: ['tools', server],
    label: `Tools of ${server}`,
    value: card.tools[server],
  }));
  const parent: FieldGroup[] =
    card.agents.length === 0
      ? []
      : [
          {
            title: 'Calling children',
            fields: [
              number('max_parallel', 'At once', card.maxParallel, '128'),
              {
                ...number('child_timeout_sec', 'Child timeout (s)', card.childTimeoutSec, 'none'),
                whole: false,
              },
              choice(
                'history_source',
                'History given',
                card.historySource,
                ['none', 'messages', 'child', 'orchestrator'],
                'none',
              ),
              choice(
                'history_merge_target',
                'History merged into',
                card.historyMergeTarget,
                ['none', 'child', 'orchestrator'],
                'none',
              ),
            ],
          },
        ];
  return [
    { title: 'Children', fields: [names('agents', 'Child agents', 'agents', card.agents)] },
    ...parent,
    {
      title: 'Tools',
      fields: [
        names('servers', 'MCP servers', 'servers', card.servers),
        ...filters,
        {
          kind: 'specs',
          path: ['function_tools'],
          label: 'Function tools',
          value: card.functionTools.map((tool) => ({ spec: tool.entrypoint, file: tool.file })),
          placeholder: 'tools.py:add_one',
        },
        flag('shell', 'Shell', card.shell, false, 'May run commands.'),
      ],
    },
    { title: 'Hooks', fields: hookFields(card) },
    modelGroup(card, true),
  ];
}

/** Returns the fields for hooks: an ordered list for the chain, and one function for each phase. */
function hookFields(card: AgentCard): CardField[] {
  const hooks = card.toolHooks;
  if (hooks.form === 'phases') {
    return toolHookPhases.map((phase) => ({
      kind: 'text',
      path: ['tool_hooks', phase],
      label: phase.replaceAll('_', ' '),
      value: hooks.phases[phase]?.spec,
      placeholder: 'hooks.py:function',
    }));
  }
  const chain = hooks.form === 'chain' ? hooks.chain : [];
  return [
    {
      kind: 'specs',
      path: ['tool_hooks'],
      label: 'Hooks that wrap every tool call, the outermost first',
      value: chain.map(({ spec, file }) => ({ spec, file })),
      placeholder: 'hooks.py:audit',
    },
  ];
}

function modelGroup(
  card: {
    readonly model: string | undefined;
    readonly useHistory: boolean;
    readonly humanInput: boolean;
    readonly requestParams: JsonObject;
  },
  historyDefault: boolean,
): FieldGroup {
  return {
    title: 'Model',
    fields: [
      model(card.model),
      parameter(card.requestParams, 'temperature', 'Temperature', false),
      parameter(card.requestParams, 'max_tokens', 'Tokens at most', true),
      { ...parameter(card.requestParams, 'max_iterations', 'Model calls at most', true), placeholder: '100' },
      flag('use_history', 'Keep history', card.useHistory, historyDefault),
      flag('human_input', 'May ask a person', card.humanInput, false),
    ],
  };
}

function parameter(
  params: JsonObject,
  key: string,
  label: string,
  whole: boolean,
): CardField & { readonly kind: 'number' } {
  const value = params[key];
  return {
    kind: 'number',
    path: ['request_params', key],
    label,
    value: typeof value === 'number' ? value : undefined,
    whole,
    placeholder: 'model’s own',
  };
}

function text(
  key: string,
  label: string,
  value: string | undefined,
  placeholder?: string,
): CardField & { kind: 'text' | 'lines' } {
  return { kind: 'text', path: [key], label, value, ...(placeholder === undefined ? {} : { placeholder }) };
}

function number(
  key: string,
  label: string,
  value: number | undefined,
  placeholder: string,
  least?: number,
): CardField & { readonly kind: 'number' } {
  const limit = least === undefined ? {} : { least };
  return { kind: 'number', path: [key], label, value, whole: true, placeholder, ...limit };
}

/** Negative numbers and zero mean no limit, which the field shows as empty. */
function noLimit(value: number): number | undefined {
  return value > 0 ? value : undefined;
}

function model(value: string | undefined): CardField {
  return { kind: 'model', path: ['model'], label: 'Model', value, unset: 'Default model' };
}

function name(key: string, label: string, value: string | undefined, unset?: string): CardField {
  const empty = unset === undefined ? {} : { unset };
  return { kind: 'name', path: [key], label, value: value === '' ? undefined : value, ...empty };
}

function flag(key: string, label: string, value: boolean, fallback: boolean, hint?: string): CardField {
  return { kind: 'flag', path: [key], label, value, fallback, ...(hint === undefined ? {} : { hint }) };
}

function choice(
  key: string,
  label: string,
  value: string | undefined,
  options: readonly string[],
  unset: string,
): CardField {
  return { kind: 'choice', path: [key], label, value, options, unset };
}

function names(
  key: string,
  label: string,
  of: 'agents' | 'servers',
  value: readonly string[],
): CardField & { readonly kind: 'names' } {
  return { kind: 'names', path: [key], label, of, value };
}

/**
 * Reads a list of patterns: `a*, b` is the list that the file holds, an empty text means not set (everything), `none` is
 * the empty list (nothing).
 */
export function parsePatterns(input: string): readonly string[] | undefined {
  const trimmed = input.trim();
  if (trimmed === '') return undefined;
  if (trimmed === 'none') return [];
  return trimmed.split(/[\s,]+/).filter((part) => part !== '');
}

export function printPatterns(patterns: readonly string[] | undefined): string {
  if (patterns === undefined) return '';
  return patterns.length === 0 ? 'none' : patterns.join(', ');
}
