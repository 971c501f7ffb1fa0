'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { projectId } from '@/app/api/project-id';
import { changeRetention, previewRetention, readRetentionOverview } from '@/lib/server/run-lists';

const rule = z.strictObject({
  maxAgeDays: z.number().min(1, 'At least one day.').max(36_500, 'At most 36,500 days.').nullable(),
  maxBytes: z.number().min(1_000_000, 'At least 1 MB.').max(1e15, 'At most 1,000,000,000 MB.').nullable(),
});
const project = z.string().optional();

function projectOf(id: string | undefined) {
  return id === undefined ? undefined : projectId({ project: id });
}

/** Tells what a rule would delete now. Without a project it is the rule of all projects that have none of their own. */
export const previewRule = action(z.strictObject({ rule, project }), async (input, actor) => {
  return await previewRetention(actor, input.rule, projectOf(input.project));
});

/** Stores a rule, or removes that of a project, and returns all rules with what is kept. */
export const saveRule = action(z.strictObject({ rule: rule.nullable(), project }), async (input, actor) => {
  await changeRetention(actor, input.rule ?? undefined, projectOf(input.project));
  return await readRetentionOverview(actor);
});
