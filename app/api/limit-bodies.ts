import { z } from 'zod';

const positive = z.number().min(0, 'Give 0 or more, or null for no limit.').max(1e15).nullable();
const count = z
  .number()
  .int('Give a whole number.')
  .min(0, 'Give 0 or more, or null for no limit.')
  .max(1e15)
  .nullable();

/** What the runs of a project may use in a month. */
export const budgetBody = z.strictObject({ maxUsd: positive, maxTokens: count, maxRuns: count });

const atLeastOne = count.refine((most) => most !== 0, 'Give 1 or more, or null for no limit.');

export const limitsBody = z.strictObject({
  runs: z.strictObject({
    startsPerMinute: atLeastOne,
    activePerPerson: atLeastOne,
    activePerProject: atLeastOne,
    longestMs: atLeastOne.optional(),
  }),
  disk: z.strictObject({ bytesPerProject: atLeastOne }).optional(),
  budget: budgetBody,
});
