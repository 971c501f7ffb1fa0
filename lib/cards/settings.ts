import { z } from 'zod';
import { exactJsonValue } from '@/lib/base/exact-json-value';
import { recordOf } from '@/lib/base/record-of';
import { approvalSettings } from './approval-settings';
import { canvasSettings } from './canvas-settings';
import { delegationDefaultsSchema, delegationSchema } from './delegation-settings';
import { externalSettings } from './external-settings';
import { hookSettings } from './hook-settings';
import { mcpSettings } from './mcp-settings';
import { workerSettings } from './worker-settings';

/**
 * The schema of `callboard.yaml`, version 1: settings for which fast-agent's card format has no place. Every key is optional
 * and a missing file means all defaults, so any folder can be opened. Names are snake_case in the file, as in cards.
 */

/** A tool call that a script makes in place of a model. Placeholders `{{…}}` in its arguments are replaced as those in `text` are. */
const scriptedCall = z.strictObject({
  tool: z.string().min(1),
  arguments: recordOf(exactJsonValue).default({}),
});

/**
 * One turn of a scripted model. `text` and string arguments may have placeholders: `{{input}}` is the message from the
 * caller, `{{instance}}` the name of the instance, `{{result}}` or `{{result[2]}}` the text of a result of the last batch
 * (counted from 1), `{{results}}` all of them, joined by newlines, and `{{session_id[2]}}` the session that a result names.
 */
const scriptedTurn = z.strictObject({
  text: z.string().optional(),
  calls: z.array(scriptedCall).optional(),
  /** The delay before the answer. */
  delay_ms: z.int().min(0).max(600_000).optional(),
  /** Fails with this message, like a provider, instead of answering. */
  error: z.string().optional(),
});

const scriptedAgent = z.strictObject({
  /** The script is used if the input contains this text. The first matching script of an agent is used. */
  when_input_contains: z.string().optional(),
  /** The script is used only if the conversation before the input (a session or a history) contains this text. */
  when_history_contains: z.string().optional(),
  /** The script is used only for these instances of the agent below one parent, counted from 1: `[2]` is the second. */
  when_instances: z.array(z.int().min(1)).min(1).optional(),
  turns: z.array(scriptedTurn).min(1),
});

const limits = z
  .strictObject({
    /** The most calls of a batch at the same time. The default is 128. `max_parallel` of a card takes precedence. */
    max_parallel: z.int().min(1).max(1_000),
    /** The deepest nesting of agents. The root has depth 0. The default is 5. */
    max_depth: z.int().min(1).max(50),
    /**
     * The most model calls of an instance. The default is 100. `request_params.max_iterations` of a card takes precedence.
     */
    max_iterations: z.int().min(1).max(10_000),
    /**
     * The time limit of a child. There is none by default. `child_timeout_sec` of a card or `timeout_ms` of the edge takes
     * precedence.
     */
    child_timeout_ms: z.int().positive(),
    /** The time limit of a run. The default is 30 minutes. */
    run_timeout_ms: z.int().positive(),
    /** The most tokens of a run, prompt and completion together. There is no limit by default. */
    max_tokens: z.int().positive(),
    /** The most US dollars of a run, as far as prices are known. There is no limit by default. */
    max_cost_usd: z.number().positive(),
    /** With `ask` a person may raise a spent limit of tokens or dollars. The default is `stop`. */
    when_spent: z.enum(['stop', 'ask'], { error: 'use stop or ask' }),
    /**
     * The most bytes of a model answer, with its calls. A larger answer is an error. The default, which is also the
     * maximum, is 32 MiB.
     */
    max_answer_bytes: z
      .int()
      .min(1_024)
      .max(32 * 1024 * 1024),
    /** The most bytes of a tool result for the model. The rest is replaced by a note. The default is 256 KiB. */
    max_result_bytes: z.int().min(1_024),
    /** The most bytes of one version of an artifact. The default is 1 MiB. */
    max_artifact_bytes: z.int().min(1),
  })
  .partial();

export const settingsSchema = z.strictObject({
  version: z.literal(1),
  /** The entry agent of a run that names none. By default it is the card with `default: true`, otherwise the only root. */
  entry: z.string().optional(),
  /** The message that the editor suggests for the first run. Nothing else reads it. */
  example_message: z.string().min(1).optional(),
  limits: limits.default({}),
  /** The prefix of child tools whose edge does not set a name. The default is `agent__<Name>`. */
  tool_naming: z.enum(['agent__', 'call_', 'plain']).default('agent__'),
  /** Options by parent and child. */
  delegations: recordOf(recordOf(delegationSchema)).default({}),
  /** The default options of delegations. */
  delegation_defaults: delegationDefaultsSchema.default({}),
  /** Agents that take over children which wait for people, of edges with `enable_hitl`. False by default. */
  enable_sub_agent_hitl: recordOf(z.boolean()).default({}),
  ...approvalSettings,
  ...externalSettings,
  ...hookSettings,
  ...mcpSettings,
  ...workerSettings,
  /** How arguments are recorded in events. */
  recording: z
    .strictObject({
      /** The most recorded bytes of the arguments of one call. The rest is replaced by a note. The default is 64 KiB. */
      max_payload_bytes: z.int().min(256),
      /** Keys whose values are not recorded, in addition to the usual ones such as `api_key` and `password`. */
      redact_keys: z.array(z.string().min(1)),
    })
    .partial()
    .default({}),
  /** Playback scripts by agent. With scripts, runs that name no model are scripted, and labelled as such. */
  scripts: recordOf(z.array(scriptedAgent)).default({}),
  canvas: canvasSettings,
});

export type Settings = z.infer<typeof settingsSchema>;
export type ScriptedAgent = z.infer<typeof scriptedAgent>;
export type ScriptedTurn = z.infer<typeof scriptedTurn>;

export const defaultSettings: Settings = settingsSchema.parse({ version: 1 });
