import { z } from 'zod';
import type { JsonObject } from '@/lib/base/json';
import { own } from '@/lib/base/own';

/**
 * Options of one delegation (edge parent → child), as docs/delegation.md lists them. A key is here only when the runtime
 * acts on it.
 */

const schemaObject: z.ZodType<JsonObject> = z.record(z.string(), z.json());
const names = z.array(z.string().min(1));

const state = z
  .strictObject({
    /** What the child is given of its parent's state. Default `filtered`: all but internal keys. */
    down: z.union([z.enum(['filtered', 'none']), z.strictObject({ keys: names })], {
      error: 'use filtered, none or {keys: [name, …]}',
    }),
    /** True: what the child writes stays with it. Default false. */
    isolate: z.boolean(),
    /** Only these keys may go up; any other write fails the call. */
    write_keys: names,
    /** Compared with the value when the delegation began. Default `overwrite`. */
    on_conflict: z.enum(['overwrite', 'reject']),
    /** Keys that `on_conflict: reject` does not look at. */
    conflict_exempt: names,
  })
  .partial();

const artifacts = z
  .strictObject({
    /** True: the parent's namespace. False: one of the child's own. Default true. */
    forward: z.boolean(),
    /** A name that begins with none of these cannot be saved by the child. */
    write_prefixes: names,
  })
  .partial();

const attachments = z
  .strictObject({
    /** Files in one call; 0: none, and no parameter. Default 4. */
    max: z.int().min(0).max(100),
    /** Of all files of a call together. Default 10 MB. */
    max_bytes: z.int().min(0),
    /** File name endings such as `.pdf`; empty: all. */
    allow: names,
    deny: names,
  })
  .partial();

export const forwardedTypes = ['model', 'tool', 'hook', 'state', 'artifact', 'log', 'delta'] as const;

const forwarding = z
  .strictObject({
    /** Default all. */
    types: z.array(z.enum(forwardedTypes)),
    /** True: text in pieces as it comes. False: each time all of it so far. Default true. */
    incremental: z.boolean(),
  })
  .partial();

/** Those that make sense for every delegation of a project. */
const shared = {
  input_mode: z.enum(['text_json', 'request', 'message', 'input_data', 'schema']),
  skip_summarization: z.boolean(),
  failure_mode: z.enum(['result', 'propagate']),
  /** Instances tried for one call. Default 1. */
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
  /** `addressed`: the model may name the session to go on with; `reuse`: there is one. Default `none`. */
  session: z.enum(['none', 'addressed', 'reuse']),
  /** `clone`: a fresh instance for each call. `shared`: one for the run. `pool`: so many at once. Default `clone`. */
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

/** What holds for one delegation: the edge's own options, else the project's (C-16). Groups of options mix key by key. */
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
