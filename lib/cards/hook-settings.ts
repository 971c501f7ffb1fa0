import { z } from 'zod';
import { isRecord, type Json } from '@/lib/base/json';
import { patternProblem } from '@/lib/base/pattern-problem';
import { recordOf } from '@/lib/base/record-of';
import { type CodeRef, toolHookPhases } from './card';
import { joinPath, splitCodeSpec } from './references';

/**
 * The hook keys of callboard.yaml, listed in docs/hooks.md: `run_hooks`, `agent_hooks`, `hooks`, `hooks_off`. An entry of a chain
 * is code (`hooks.py:audit`, relative to callboard.yaml) or a declarative hook with its parameters (`clamp: {…}`). An entry with
 * `enabled: false` is skipped; code is then written `{code: hooks.py:audit, enabled: false}`.
 */

/** The value is JSON already, and `z.json()` would give no clear message for a missing value. */
const json = z.custom<Json>((value) => value !== undefined, {
  error: 'a value is needed: text, a number, true, false, null, a list or a mapping',
});
/** An integer beyond 2^53 keeps its digits, because it is compared with one. */
const bound = z.union([z.number(), z.bigint()], { error: 'use a number' });
const globs = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
  error: "use a name such as 'time__*', or a list of them",
});
const anySource = z.enum(['mcp', 'function', 'agent', 'runtime']);

function when<S extends z.ZodEnum>(source: S) {
  return z
    .strictObject({
      /** Patterns (`*`, `?`) for the tool's name, as models or hooks see it: `time__*`, `shell.execute`. One must match. */
      tool: globs,
      source: z.union([source, z.array(source).min(1)], {
        error: `use one of ${source.options.join(', ')}, or a list of them`,
      }),
      /** Patterns for the server's name. A tool without a server does not match. */
      server: globs,
    })
    .partial();
}

const common = { when: when(anySource).optional() };

/** The name of an argument, or a path into objects (`options.limit`). */
const argument = z.string().min(1);
const patterns = z
  .array(
    z
      .string()
      .min(1)
      .max(500)
      .superRefine((pattern, context) => {
        const problem = patternProblem(pattern);
        if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
      }),
  )
  .max(20);

/** `kind` is the key of the parameters. */
const declarative = z.discriminatedUnion('kind', [
  z.strictObject({ ...common, kind: z.literal('block'), message: z.string().min(1).optional() }),
  z
    .strictObject({
      ...common,
      kind: z.literal('clamp'),
      argument,
      min: bound.optional(),
      max: bound.optional(),
    })
    .refine(({ min, max }) => min !== undefined || max !== undefined, { error: "'min' or 'max' is needed" })
    .refine(({ min = -Infinity, max = Infinity }) => min <= max, { error: "'min' is more than 'max'" }),
  z.strictObject({ ...common, kind: z.literal('rename'), from: z.string().min(1), to: z.string().min(1) }),
  z.strictObject({ ...common, kind: z.literal('default'), argument, value: json }),
  z
    .strictObject({
      ...common,
      kind: z.literal('redact'),
      patterns: patterns.default([]),
      keys: z.array(z.string().min(1)).max(100).default([]),
      in: z.enum(['arguments', 'result', 'both']).default('result'),
      replacement: z.string().max(100).default('[redacted]'),
    })
    .refine((value) => value.patterns.length + value.keys.length > 0, { error: "'patterns' or 'keys' is needed" }),
  z.strictObject({ ...common, kind: z.literal('truncate'), max_chars: z.int().min(1) }),
  z.strictObject({
    ...common,
    kind: z.literal('rate_limit'),
    calls: z.int().min(1).max(100_000),
    per_ms: z.int().min(1).max(86_400_000),
    scope: z.enum(['run', 'instance', 'tool']).default('run'),
    on_limit: z.enum(['wait', 'refuse']).default('wait'),
  }),
  z.strictObject({
    /** A retry cannot apply to delegations, because `max_attempts` retries them with a new instance for each attempt. */
    when: when(z.enum(['mcp', 'function', 'runtime'])).optional(),
    kind: z.literal('retry'),
    attempts: z.int().min(2).max(10).default(3),
    delay_ms: z.int().min(0).max(600_000).default(500),
    factor: z.number().min(1).max(10).default(2),
    max_delay_ms: z.int().min(0).max(600_000).default(30_000),
    on: z.array(z.string().min(1)).min(1).default(['TOOL_FAILED', 'TOOL_TIMEOUT', 'SERVER_UNAVAILABLE']),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('cache'),
    ttl_ms: z.int().min(1).optional(),
    max_entries: z.int().min(1).max(100_000).default(1_000),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('log'),
    level: z.enum(['debug', 'info', 'warning', 'error']).default('info'),
    message: z.string().min(1).optional(),
    arguments: z.boolean().default(false),
    result: z.boolean().default(false),
  }),
]);

/** Returns the JSON schema of each hook without code. A value of any kind has an empty schema. */
export function declarativeJsonSchema(): unknown {
  return z.toJSONSchema(declarative, {
    unrepresentable: 'any',
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema !== bound) return;
      delete jsonSchema.anyOf;
      jsonSchema.type = 'number';
    },
  });
}

/** Returns what is wrong with the parameters of a hook, with the path of each parameter. An empty list means nothing is. */
export function parameterFaults(
  kind: DeclarativeKind,
  parameters: Readonly<Record<string, unknown>>,
): readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] {
  const parsed = declarative.safeParse({ ...parameters, kind });
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => ({ path, message }));
}

/** A hook without code, with all defaults. */
export type DeclarativeHook = z.output<typeof declarative>;
export type DeclarativeKind = DeclarativeHook['kind'];
export type DeclarativeOf<K extends DeclarativeKind> = Extract<DeclarativeHook, { kind: K }>;
export type HookWhen = NonNullable<DeclarativeHook['when']>;

export const declarativeKinds: readonly DeclarativeKind[] = [
  'block',
  'clamp',
  'rename',
  'default',
  'redact',
  'truncate',
  'rate_limit',
  'retry',
  'cache',
  'log',
];

export type HookEntry = ({ readonly kind: 'code'; readonly code: CodeRef } | DeclarativeHook) & {
  /** The hook stays in the file and is skipped in every run. */
  readonly off?: true;
};

const hookEntry = z.unknown().transform((value, context): HookEntry => {
  const refuse = (message: string, path: readonly string[] = []): never => {
    context.issues.push({ code: 'custom', message, input: value, path: [...path] });
    return z.NEVER;
  };
  const { enabled = true, ...written } = isRecord(value) ? value : {};
  if (typeof enabled !== 'boolean') return refuse("'enabled' is true or false", ['enabled']);
  const switched = enabled ? {} : { off: true as const };
  const spec = typeof value === 'string' ? value : Object.keys(written).length === 1 ? written.code : undefined;
  if (typeof spec === 'string') {
    const split = splitCodeSpec(spec);
    const file = split && joinPath('', split.file);
    if (!split || file === undefined) return refuse("code is written 'file.py:function', inside the project");
    return { kind: 'code', code: { spec, file, functionName: split.functionName }, ...switched };
  }
  const entries = Object.entries(written);
  const [entry] = entries;
  const kinds = declarativeKinds.join(', ');
  if (!entry || entries.length > 1)
    return refuse(`a hook is 'file.py:function' or one of ${kinds} with its parameters`);
  const [kind, parameters] = entry;
  if (!declarativeKinds.some((known) => known === kind)) {
    return refuse(`there is no hook '${kind}'; use 'file.py:function' or one of ${kinds}`, [kind]);
  }
  if (parameters !== null && !isRecord(parameters)) return refuse(`'${kind}' takes a mapping of parameters`, [kind]);
  const parsed = declarative.safeParse({ ...parameters, kind });
  if (parsed.success) return { ...parsed.data, ...switched };
  for (const issue of parsed.error.issues) {
    const path = [kind, ...issue.path];
    if (issue.code !== 'unrecognized_keys') {
      context.issues.push({ code: 'custom', message: issue.message, input: value, path, params: { of: issue } });
      continue;
    }
    context.issues.push({ code: 'unrecognized_keys', keys: issue.keys, input: parameters ?? {}, path });
  }
  return z.NEVER;
});

/** The policy of a code hook. Its key is the spec as in the card, or with the path in the folder. */
const hookPolicy = z
  .strictObject({
    /** The effect of an exception in the hook. By default (`fail`) the call gets an error result. */
    on_error: z.enum(['fail', 'skip']),
    /** The time limit of the hook, without the time it waits for `next`. By default it is that of the sandbox. */
    timeout_ms: z.int().min(1).max(3_600_000),
  })
  .partial();

export type HookPolicy = z.output<typeof hookPolicy>;

/** The phases at which a card may have a hook. */
export const cardHookPhases = [...toolHookPhases, 'on_start', 'on_shutdown'] as const;
export type CardHookPhase = (typeof cardHookPhases)[number];

/**
 * The hooks of a card that are switched off, as the card names them: those of its list, and those of its phases. They are
 * written here, because fast-agent refuses a card with a field that it does not know.
 */
const cardHooksOff = z
  .strictObject({
    tool_hooks: z.array(z.string().min(1)),
    before_llm_call: z.string().min(1),
    after_llm_call: z.string().min(1),
    before_tool_call: z.string().min(1),
    after_tool_call: z.string().min(1),
    after_turn_complete: z.string().min(1),
    on_start: z.string().min(1),
    on_shutdown: z.string().min(1),
  } satisfies Record<CardHookPhase | 'tool_hooks', z.ZodType>)
  .partial();

export type CardHooksOff = z.output<typeof cardHooksOff>;

/** The number of run hooks is limited, because they are drawn and run for each agent. */
export const maxRunHooks = 50;

export const hookSettings = {
  /** Hooks that wrap every tool call of the run, outermost. `inherit_run_hooks: false` of a delegation turns them off. */
  run_hooks: z.array(hookEntry).max(maxRunHooks, `at most ${maxRunHooks} hooks wrap every call of a run`).default([]),
  /** Hooks that wrap the tool calls of an agent, outside the chain of its card. The key is the agent. */
  agent_hooks: recordOf(z.array(hookEntry)).default({}),
  hooks: z.record(z.string(), hookPolicy).default({}),
  /** The hooks of cards that are switched off, by agent. Entries of the chains above have `enabled: false` instead. */
  hooks_off: recordOf(cardHooksOff).default({}),
};
