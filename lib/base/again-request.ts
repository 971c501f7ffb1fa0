import { z } from 'zod';
import { type AgainRequest, againFiles } from './again';
import { isRecord, type JsonObject } from './json';

const run = z.string().min(1).max(200);
const jsonObject = z.custom<JsonObject>((value) => isRecord(value), { error: 'a JSON object is needed' });
const files = z.enum(againFiles);

/** Reads what a run takes from another one, from a request and from the database. */
export const againRequest = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('again'), run, files: files.default('draft') }),
  z.strictObject({ kind: z.literal('from'), run, files: files.default('recorded'), at: z.int().min(1) }),
  z.strictObject({
    kind: z.literal('instance'),
    run,
    files: files.default('recorded'),
    path: z.string().min(1).max(10_000),
    arguments: jsonObject.optional(),
    tools: z.record(z.string(), z.enum(['record', 'live'])).default({}),
  }),
]) satisfies z.ZodType<AgainRequest>;
