import { z } from 'zod';
import { markLimits as limits } from './run-marks';

const plain = (most: number) =>
  z
    .string()
    .min(1, 'is empty.')
    .max(most, `has at most ${most} characters.`)
    .regex(/^\P{Cc}*$/u, 'has no control characters.');

/** The fields of a request that mark a run, and of the event that starts it. */
export const runMarksFields = {
  user: plain(limits.user).optional(),
  tags: z
    .array(plain(limits.tag))
    .max(limits.tags, `At most ${limits.tags} tags.`)
    .transform((tags) => [...new Set(tags)])
    .optional(),
  metadata: z
    .record(z.string(), plain(limits.value))
    .refine(
      (all) => Object.keys(all).every((key) => /^[\w.-]{1,64}$/.test(key)),
      'Names have 1 to 64 letters, digits, "_", "-" and ".".',
    )
    .refine((all) => Object.keys(all).length <= limits.keys, `At most ${limits.keys} entries.`)
    .optional(),
};

export const runMarks = z.object(runMarksFields);
