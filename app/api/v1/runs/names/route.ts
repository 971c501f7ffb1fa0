import { z } from 'zod';
import { respond } from '@/app/api/respond';
import { completeRunNames } from '@/lib/server/run-lists';
import { namedFields } from '@/lib/trace/run-filter';

const query = z.object({
  field: z.enum(namedFields, `One of ${namedFields.join(', ')}.`),
  text: z
    .string()
    .max(500, 'At most 500 characters.')
    .regex(/^\P{Cc}*$/u, 'No control characters.')
    .default(''),
});

export const GET = respond(query, async (_request, _params, actor, { field, text }) => {
  return { names: await completeRunNames(actor, field, text) };
});
