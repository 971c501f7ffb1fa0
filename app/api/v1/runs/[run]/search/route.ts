import { z } from 'zod';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { searchRun } from '@/lib/server/runs';

const query = z.object({
  text: z.string('Give a text.').trim().min(1, 'Give a text.').max(200, 'At most 200 characters.'),
  after: z.coerce
    .number('Give a number.')
    .int('Give a whole number.')
    .min(0, 'Not below 0.')
    .max(2_147_483_647)
    .default(0),
  /** Only these events are searched. */
  among: z
    .string()
    .regex(/^\d{1,9}(,\d{1,9})*$/, 'Give numbers with commas between.')
    .transform((text) => text.split(',').map(Number))
    .refine((seqs) => seqs.length <= 500, 'At most 500 numbers.')
    .optional(),
});

/**
 * `GET /api/v1/runs/:id/search?text=…&after=N&among=N,M` answers the numbers of events after N whose arguments, result, messages or other
 * texts hold the text: `{ seqs, next }`. With `among`, only those of these numbers. With `next`, the search goes on after that number; without it, the run is searched.
 */
export const GET = respond(query, async (_request, params: RunParams, actor, { text, ...range }) => {
  return await searchRun(actor, runId(params), text, range);
});
