import { z } from 'zod';
import type { Json, JsonObject } from '@/lib/base/json';
import { decisions, grantScopes, pendingStatuses } from '@/lib/base/pending';

const id = z.string().regex(/^[\w-]{1,64}$/, 'Give the id of one.');

/** Which questions: `status=all` for every state. `mine` changes nothing while there is one person. */
export const pendingQuery = z.object({
  run: id.optional(),
  project: id.optional(),
  status: z.enum([...pendingStatuses, 'all'], `${pendingStatuses.join(', ')} or all.`).default('open'),
  tool: z.string().min(1).max(500).optional(),
  mine: z.enum(['true', 'false'], 'true or false.').optional(),
  limit: z.coerce.number('Give a number.').int('Give a whole number.').min(1).max(500, 'At most 500.').default(100),
  after: z.string().max(400, 'Give the "next" of the page before.').optional(),
});

/** The ids of several questions, with commas between. */
export const pendingIds = z.object({
  ids: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(id).min(1).max(200, 'At most 200.')),
});

const json: z.ZodType<Json> = z.json();
const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), json);
const pattern = z.string().min(1, 'Give a value, or a pattern with *.').max(1_000);

const remember = z.strictObject({
  scope: z.enum(grantScopes, `${grantScopes.join(', ')}.`),
  match: z
    .union(
      [z.enum(['equal', 'any']), z.record(z.string().max(200), pattern)],
      '"equal", "any", or a pattern by argument.',
    )
    .default('equal'),
  expiresAt: z.number('Give epoch milliseconds.').min(0).max(8.64e15).optional(),
});

export const answerBody = z.strictObject({
  decision: z.enum(decisions, `${decisions.join(', ')}.`),
  arguments: jsonObject.optional(),
  content: json.optional(),
  note: z.string().max(10_000, 'At most 10,000 characters.').optional(),
  remember: remember.optional(),
});

/** At most this many answers in one request. */
const mostAnswers = 500;

export const answersBody = z.strictObject({
  answers: z
    .array(answerBody.extend({ id }))
    .min(1, 'Give at least one.')
    .max(mostAnswers, `At most ${mostAnswers} answers at once.`),
});
