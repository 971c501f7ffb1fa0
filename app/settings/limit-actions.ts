'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { budgetBody, limitsBody } from '@/app/api/limit-bodies';
import { projectId } from '@/app/api/project-id';
import { limitsOf } from '@/app/settings/limits-state';
import { changeBudget, changeLimits } from '@/lib/server/run-limits';

/** Stores the limits of the installation and the budget of every project, and returns all limits that the person may change. */
export const saveLimits = action(limitsBody, async ({ runs, disk, budget }, actor) => {
  await changeLimits(actor, { runs, diskBytes: disk?.bytesPerProject }, budget);
  return await limitsOf(actor);
});

/** Stores the own budget of a project, or removes it. */
export const saveBudget = action(
  z.strictObject({ project: z.string(), budget: budgetBody.nullable() }),
  async (input, actor) => {
    await changeBudget(actor, projectId(input), input.budget ?? undefined);
    return await limitsOf(actor);
  },
);
