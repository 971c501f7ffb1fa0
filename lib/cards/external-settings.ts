import { z } from 'zod';
import type { JsonObject } from '@/lib/base/json';

/** The key `external_tools` of callboard.yaml, described in docs/approvals.md: tools whose results people give. */

const schemaObject: z.ZodType<JsonObject> = z.record(z.string(), z.json());

const externalTool = z.strictObject({
  description: z.string().trim().min(1),
  /** The agents that are offered the tool. */
  agents: z.array(z.string().min(1)),
  /** JSON Schema of the arguments. By default the tool has none. */
  input_schema: schemaObject.optional(),
  /** JSON Schema of the result, which is the form that a person fills in. By default the result is a text. */
  result_schema: schemaObject.optional(),
});

export const externalSettings = {
  external_tools: z
    .record(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'a name has letters, digits, _ and -, at most 64'), externalTool)
    .default({}),
};
