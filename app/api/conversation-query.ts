import { z } from 'zod';

/** Which page of a list an address asks for. */
export const listQuery = z.object({
  limit: z.coerce.number('Give a number.').int('Give a whole number.').min(1).max(200, 'At most 200.').default(50),
  cursor: z
    .string()
    .max(400, 'Give the "next" of the page before.')
    .transform((text) => text || undefined)
    .optional(),
});
