import { z } from 'zod';

export const pageSize = 60;

/** The query of the list of projects. An empty text filters nothing. */
export const projectQuery = z.object({
  text: z
    .string()
    .trim()
    .max(200, 'At most 200 characters.')
    .regex(/^\P{Cc}*$/u, 'No control characters.')
    .transform((text) => (text === '' ? undefined : text))
    .optional(),
  after: z.string().max(400, 'Give the "next" of the page before.').optional(),
  limit: z.coerce
    .number('Give a number.')
    .int('Give a whole number.')
    .min(1, 'At least 1.')
    .max(500, 'At most 500.')
    .default(pageSize),
  fields: z.enum(['name'], 'Only "name".').optional(),
});
