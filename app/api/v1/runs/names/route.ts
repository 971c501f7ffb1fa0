import { z } from 'zod';
import { checkInput } from '@/app/api/read-body';
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

export const GET = respond(async (request, _params, actor) => {
  const { field, text } = checkInput(Object.fromEntries(new URL(request.url).searchParams), query);
  return { names: await completeRunNames(actor, field, text) };
});
