import { z } from 'zod';
import { isScoreName, mostScoreNote, scoreNameRule, usualScoreName } from '@/lib/base/score';

/** What somebody thinks of a run or a span: a value, a note, or both. */
export const scoreBody = z
  .strictObject({
    span: z.int('Give the number of the event that opens the span.').min(1).max(2_147_483_647).optional(),
    name: z.string().refine(isScoreName, scoreNameRule).default(usualScoreName),
    value: z.number().min(0, 'At least 0.').max(1, 'At most 1.').nullable().default(null),
    note: z
      .string()
      .trim()
      .max(mostScoreNote, `At most ${mostScoreNote.toLocaleString('en-US')} characters.`)
      .regex(/^[^\0\p{Surrogate}]*$/u, 'Leave out characters that are no text.')
      .nullable()
      .default(null)
      .transform((note) => note || null),
  })
  .refine(({ value, note }) => value !== null || note !== null, 'Give a value, a note, or both.');
