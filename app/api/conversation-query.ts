import { z } from 'zod';
import type { ListQuery } from '@/lib/server/conversations';
import { checkInput } from './read-body';

const query = z.object({
  limit: z.coerce.number('Give a number.').int('Give a whole number.').min(1).max(200, 'At most 200.').default(50),
  cursor: z.string().max(400, 'Give the "next" of the page before.').optional(),
});

/** Reads which page of a list an address asks for. Throws AppError `bad_request`. */
export function listQuery(request: Request): ListQuery {
  const { limit, cursor } = checkInput(Object.fromEntries(new URL(request.url).searchParams), query);
  return { limit, cursor: cursor || undefined };
}
