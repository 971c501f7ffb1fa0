import { z } from 'zod';
import type { JsonObject } from '@/lib/base/json';
import { own } from '@/lib/base/own';
import { attachmentEffect, callEffect } from './approval-settings';

/**
 * The options of one delegation (edge parent → child), listed in docs/delegation.md. Each key has an effect in the runtime.
 */

const schemaObject: z.ZodType<JsonObject> = z.record(z.string(), z.json());
const names = z.array(z.string().min(1));

const state = z
  .strictObject({
    /**
     * The state that the child gets from its parent. The default is `filtered`, which is everything except internal keys.
     */
    down: z.union([z.enum(['filtered', 'none']), z.strictObject({ keys: names })], {
      error: 'use filtered, none or {keys: [name, …]}',
    }),
    /** If true, the parent does not get the state that the child writes. The default is false. */
    isolate: z.boolean(),
    /** The keys that the child may write. Any other write fails the call. */
    write_keys: names,
    /** What happens when the parent's value has changed since the delegation began. The default is `overwrite`. */
    on_conflict: z.enum(['overwrite', 'reject']),
    /** Keys that `on_conflict: reject` ignores. */
    conflict_exempt: names,
  })
  .partial();

const artifacts = z
  .strictObject({
    /** If true, the child uses the parent's artifact space. If false, it has its own. The default is true. */
    forward: z.boolean(),
    /** The child may save only names with one of these prefixes. */
    write_prefixes: names,
  })
  .partial();

const attachments = z
  .strictObject({
    /** The most files in one call. With 0 the tool has no parameter for files. The default is 4. */
    max: z.int().min(0).max(100),
    /** The most bytes of all files of a call together. The default is 10 MB. */
    max_bytes: z.int().min(0),
    /** File name extensions such as `.pdf`. An empty list allows all. */
    allow: names,
    deny: names,
    /** With `ask` a person is asked for each file. By default the project's setting counts. */
    approval: attachmentEffect,
  })
  .partial();

export const forwardedTypes = ['model', 'tool', 'hook', 'state', 'artifact', 'log', 'delta'] as const;

const forwarding = z
  .strictObject({
    /** By default all types are forwarded. */
    types: z.array(z.enum(forwardedTypes)),
    /** If true, each event has the new text only. If false, each event has all text so far. The default is true. */
    incremental: z.boolean(),
  })
  .partial();

/** The options that can be set for all delegations of a project. */
const shared = {
  input_mode: z.enum(['text_json', 'request', 'message', 'input_data', 'schema']),
  skip_summarization: z.boolean(),
  failure_mode: z.enum(['result', 'propagate']),
  /** The most attempts for one call, each with a new instance. The default is 1. */
  max_attempts: z.int().min(1).max(10),
  cache: z.boolean(),
  history: z.union([z.enum(['none', 'full']), z.strictObject({ last: z.int().min(0) })], {
    error: 'use none, full or {last: 4}, a whole number from 0',
  }),
  state,
  artifacts,
  forward_events: z.union([z.boolean(), forwarding], {
    error: `use true, false or {types: [name, …], incremental: true or false}; types are ${forwardedTypes.join(', ')}`,
  }),
  attachments,
  inherit_run_hooks: z.boolean(),
  /**
   * If true, a child that waits for people is handed to its parent as a suspended result, in programs that embed the runtime
   * (docs/delegation.md). It counts only with `enable_sub_agent_hitl` of the parent. The default is false.
   */
  enable_hitl: z.boolean(),
  /**
   * With `addressed` the model names the session to continue. With `reuse` all calls continue one session. The default is
   * `none`.
   */
  session: z.enum(['none', 'addressed', 'reuse']),
  /**
   * `clone` makes a new instance for each call, `shared` uses one instance, and `pool` uses that many instances. The
   * default is `clone`.
   */
  isolation: z.union([z.enum(['clone', 'shared']), z.strictObject({ pool: z.int().min(1).max(1_000) })], {
    error: 'use clone, shared or {pool: 4}, a whole number from 1 to 1000',
  }),
};

export const delegationSchema = z
  .strictObject({
    tool_name: z.string().trim().min(1),
    description: z.string().trim().min(1),
    input_schema: schemaObject,
    output_schema: schemaObject,
    model: z.string().trim().min(1),
    max_depth: z.int().min(1).max(50),
    timeout_ms: z.int().positive(),
    recursive: z.boolean(),
    /** Whether a call runs at once, asks a person, or is refused. It counts like a rule that names the tool. */
    approval: callEffect,
    ...shared,
  })
  .partial();

export const delegationDefaultsSchema = z.strictObject(shared).partial();

export type DelegationOptions = z.infer<typeof delegationSchema>;
export type DelegationDefaults = z.infer<typeof delegationDefaultsSchema>;

export interface DelegationSettings {
  readonly delegations: Readonly<Record<string, Readonly<Record<string, DelegationOptions>>>>;
  readonly delegation_defaults?: DelegationDefaults;
}

/**
 * Returns the options of one delegation: those of the edge, or otherwise the project's defaults. Groups are merged key by
 * key.
 */
export function delegationOptions(settings: DelegationSettings, parent: string, child: string): DelegationOptions {
  const edge = own(own(settings.delegations, parent) ?? {}, child);
  const defaults = settings.delegation_defaults;
  if (!defaults || Object.keys(defaults).length === 0) return edge ?? noOptions;
  if (!edge) return defaults;
  return {
    ...defaults,
    ...edge,
    ...(defaults.state || edge.state ? { state: { ...defaults.state, ...edge.state } } : {}),
    ...(defaults.artifacts || edge.artifacts ? { artifacts: { ...defaults.artifacts, ...edge.artifacts } } : {}),
    ...(defaults.attachments || edge.attachments
      ? { attachments: { ...defaults.attachments, ...edge.attachments } }
      : {}),
  };
}

const noOptions: DelegationOptions = {};
