import { z } from 'zod';
import { exactJsonValue } from '@/lib/base/exact-json-value';
import type { Json } from '@/lib/base/json';
import { recordOf } from '@/lib/base/record-of';

/**
 * The schema of a test of a folder, `tests/NAME.fixture.yaml` (docs/fixtures.md). The recorded answers of models and tools are beside
 * it in `tests/NAME.recording.jsonl`.
 */

const json: z.ZodType<Json> = z.json();
const text = z.string().min(1);
const count = z.int().min(0);

/** How often something happens: exactly, or at least and at most. */
const times = z.union([count, z.strictObject({ min: count.optional(), max: count.optional() })], {
  error: 'use a number, or a mapping of min and max',
});

const answer = z.strictObject({
  equals: z.string().optional(),
  contains: z.array(text).optional(),
  /** Texts that the answer must not contain. */
  lacks: z.array(text).optional(),
  /** Regular expressions that match somewhere in the answer. */
  matches: z.array(text).optional(),
  /** JSON Schema of an answer that is JSON. */
  schema: recordOf(json).optional(),
  /** Values of an answer that is JSON, by path: `city`, `days.0.high`. */
  fields: recordOf(exactJsonValue).optional(),
});

const call = z.strictObject({
  /** The name that the model sees, such as `time__now` or `agent__Writer`. */
  tool: text,
  /** Only calls by instances of this agent count. */
  agent: text.optional(),
  /** At least once by default. */
  times: times.optional(),
  /** Only calls whose arguments have these members count, as the tool got them. */
  arguments: recordOf(exactJsonValue).optional(),
});

const hook = z.strictObject({
  /** As the card or the settings name it: `guard.py:check`, `redact`. */
  hook: text,
  agent: text.optional(),
  /** Only executions around calls of this tool count. */
  tool: text.optional(),
  times: times.optional(),
  /** Only executions that changed something, or that changed nothing, count. */
  changed: z.boolean().optional(),
  /** Only executions that did not let the call through, or that did, count. */
  denied: z.boolean().optional(),
});

const limits = z.strictObject({
  time_ms: z.int().positive().optional(),
  cost_usd: z.number().positive().optional(),
  tokens: z.int().positive().optional(),
  model_calls: z.int().positive().optional(),
});

export const expectations = z.strictObject({
  answer: answer.optional(),
  /** The code of the error with which the run fails. Without it the run must complete. */
  error: text.optional(),
  calls: z.array(call).optional(),
  /** Tools in the order in which their first calls begin after each other. */
  order: z.array(text).min(2).optional(),
  hooks: z.array(hook).optional(),
  limits: limits.optional(),
  /** What a model judges about the answer, in words. */
  rubric: text.optional(),
});

export const fixtureSchema = z.strictObject({
  version: z.literal(1, { error: 'only version 1 is known' }),
  description: z.string().optional(),
  /** The entry agent of the folder by default. */
  agent: text.optional(),
  /** The model of every card that names none. */
  model: text.optional(),
  message: z.string(),
  /** Files of the folder that come with the message. */
  attachments: z.array(text).max(10).optional(),
  expect: expectations.default({}),
  /** The model that judges the rubric; the default model of the folder otherwise. */
  judge: text.optional(),
});

export type Fixture = z.output<typeof fixtureSchema>;
export type Expectations = Fixture['expect'];
export type Times = z.output<typeof times>;
