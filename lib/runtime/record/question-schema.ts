import { z } from 'zod';
import type { EpochMs, PendingId } from '@/lib/base/ids';
import { decisions, type PersonAnswer, pendingKinds } from '@/lib/base/pending';
import { jsonObject, jsonValue } from './message-schema';

/** Schemas of questions to people and of their answers, as events have them. `lib/base/pending.ts` says what the fields mean. */

const text = z.string();
const yes = z.literal(true).optional();

export const pendingItem = z.custom<PendingId>((value) => typeof value === 'string');

/** The fields of `person.asked` beside the instance and the step. */
export const questionShape = {
  item: pendingItem,
  what: z.enum(pendingKinds),
  sentence: text,
  tool: z
    .object({
      name: text,
      source: z.enum(['mcp', 'function', 'agent', 'runtime']),
      serverName: text.optional(),
      remoteName: text.optional(),
      schemaHash: text,
    })
    .optional(),
  arguments: jsonValue.optional(),
  argumentsHash: text.optional(),
  form: jsonObject.optional(),
  editable: yes,
  server: z
    .object({
      serverName: text,
      message: text.optional(),
      url: text.optional(),
      waits: yes,
      shows: z.enum(['prompt', 'result', 'retry']).optional(),
    })
    .optional(),
  why: z.object({ rule: text, level: z.enum(['tool', 'agent', 'project', 'team']) }).optional(),
  said: text.optional(),
  cardHash: text.optional(),
  limit: z
    .object({
      at: z.custom<EpochMs>((value) => typeof value === 'number'),
      outcome: z.enum(['deny', 'fail']),
    })
    .optional(),
};

export const itemOutcome = z.enum(['answered', 'expired', 'withdrawn']);

export const personAnswer: z.ZodType<PersonAnswer> = z.object({
  decision: z.enum(decisions),
  arguments: jsonObject.optional(),
  content: jsonValue.optional(),
  note: text.optional(),
  grant: text.optional(),
  by: text,
  via: text,
});
