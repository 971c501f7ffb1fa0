'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { policyPlace } from '@/app/api/policy-bodies';
import { policyRuleBody } from '@/lib/cards/policy/rule';
import { dropRule, readPolicyOf, setRule } from '@/lib/server/policy';

const place = z.strictObject({ project: policyPlace });

/** Returns the rules of a place, like the actions below, which return what is there then. */
export const readRules = action(place, async ({ project }, actor) => await readPolicyOf(actor, project));

export const saveRule = action(place.extend({ rule: policyRuleBody }), async ({ project, rule }, actor) => {
  await setRule(actor, project, rule);
  return await readPolicyOf(actor, project);
});

export const removeRule = action(place.extend({ name: z.string().max(100) }), async ({ project, name }, actor) => {
  await dropRule(actor, project, name);
  return await readPolicyOf(actor, project);
});
