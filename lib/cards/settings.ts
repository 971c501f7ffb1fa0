import { z } from 'zod';
import type { Json } from '@/lib/base/json';
import { recordOf } from '@/lib/base/record-of';
import { delegationDefaultsSchema, delegationSchema } from './delegation-settings';
import { hookSettings } from './hook-settings';
import { mcpSettings } from './mcp-settings';
import { workerSettings } from './worker-settings';

/**
 * `callboard.yaml`: what upstream's card format has no place for. Version 1. Every key is optional and an absent file
 * means all defaults, so a folder from git opens without one. Names are snake_case in the file, as in cards.
 */

const json: z.ZodType<Json> = z.json();

/** Canvas units. Far beyond this a number has no room for the size of a box. */
const coordinate = z.number().min(-10_000_000).max(10_000_000);
const point = z.strictObject({ x: coordinate, y: coordinate });

/** One call a scripted turn asks for. `{{…}}` placeholders inside arguments are filled as in `text`. */
const scriptedCall = z.strictObject({
  tool: z.string().min(1),
  arguments: recordOf(json).default({}),
});

/**
 * One turn of a scripted model. Placeholders in `text` and string arguments: `{{input}}` the instance's own message,
 * `{{instance}}` its name, `{{result}}` / `{{result[2]}}` the text of the last batch's results (1-based),
 * `{{results}}` all of them joined by newlines, `{{session_id[2]}}` the session that a result names.
 */
const scriptedTurn = z.strictObject({
  text: z.string().optional(),
  calls: z.array(scriptedCall).optional(),
  /** Wait before answering. */
  delay_ms: z.int().min(0).max(600_000).optional(),
  /** Fail as a provider would instead of answering. */
  error: z.string().optional(),
});

const scriptedAgent = z.strictObject({
  /** Used for an instance whose input contains this text; the first matching script of an agent wins. */
  when_input_contains: z.string().optional(),
  /** Used only where the conversation before that input contains this text: what a session or a history has brought. */
  when_history_contains: z.string().optional(),
  turns: z.array(scriptedTurn).min(1),
});

const limits = z
  .strictObject({
    /** Calls of one batch that run at once. Default 128, a card's `max_parallel` wins. */
    max_parallel: z.int().min(1).max(1_000),
    /** Root is depth 0. Default 5. */
    max_depth: z.int().min(1).max(50),
    /** Model calls of one instance. Default 100; a card's `request_params.max_iterations` wins. */
    max_iterations: z.int().min(1).max(10_000),
    /** Default none. A card's `child_timeout_sec` or the edge's `timeout_ms` wins. */
    child_timeout_ms: z.int().positive(),
    /** Whole run. Default 30 minutes. */
    run_timeout_ms: z.int().positive(),
    /** Prompt + completion tokens of the whole run. Default none. */
    max_tokens: z.int().positive(),
    /** US dollars of the whole run, as far as prices are known. Default none. */
    max_cost_usd: z.number().positive(),
    /** Bytes of one model answer, calls included; a larger one is an error. Default and most 32 MiB. */
    max_answer_bytes: z
      .int()
      .min(1_024)
      .max(32 * 1024 * 1024),
    /** Bytes of one tool result given to the model; the rest is cut with a note. Default 256 KiB. */
    max_result_bytes: z.int().min(1_024),
    /** Bytes of one version of an artifact. Default 1 MiB. */
    max_artifact_bytes: z.int().min(1),
  })
  .partial();

export const settingsSchema = z.strictObject({
  version: z.literal(1),
  /** Entry agent of a run that names none. Default: the card with `default: true`, else the only root. */
  entry: z.string().optional(),
  /** What the editor has written for a project's first run. A person may change it; nothing else reads it. */
  example_message: z.string().min(1).optional(),
  limits: limits.default({}),
  /** How child tools are named when the edge says nothing. Default `agent__<Name>`. */
  tool_naming: z.enum(['agent__', 'call_', 'plain']).default('agent__'),
  /** parent → child → options. */
  delegations: recordOf(recordOf(delegationSchema)).default({}),
  /** What a delegation that says nothing else does. */
  delegation_defaults: delegationDefaultsSchema.default({}),
  ...hookSettings,
  ...mcpSettings,
  ...workerSettings,
  /** What of arguments is put on record to be shown. */
  recording: z
    .strictObject({
      /** Of one call's arguments; the rest is cut with a note. Default 64 KiB. */
      max_payload_bytes: z.int().min(256),
      /** Keys whose values are left out, besides the usual ones such as `api_key` and `password`. */
      redact_keys: z.array(z.string().min(1)),
    })
    .partial()
    .default({}),
  /** A script per agent. Present: runs without a named model are scripted, and labelled so. */
  scripts: recordOf(z.array(scriptedAgent)).default({}),
  canvas: z
    .strictObject({
      /** node id → position of its top-left corner, canvas units. */
      positions: z.record(z.string(), point).default({}),
      notes: z
        .array(
          z.strictObject({
            id: z.string(),
            text: z.string(),
            x: z.number(),
            y: z.number(),
            width: z.number().optional(),
            height: z.number().optional(),
          }),
        )
        .default([]),
    })
    .default({ positions: {}, notes: [] }),
});

export type Settings = z.infer<typeof settingsSchema>;
export type ScriptedAgent = z.infer<typeof scriptedAgent>;
export type ScriptedTurn = z.infer<typeof scriptedTurn>;

export const defaultSettings: Settings = settingsSchema.parse({ version: 1 });
