import { z } from 'zod';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import { policyRuleBody } from '@/lib/cards/policy/rule';

/** Without a project it is a rule for every project. */
export const policyPlace = z
  .string()
  .max(64)
  .optional()
  .transform((id): ProjectId | null => (id === undefined ? null : brandAs<ProjectId>(id)));

/** A rule without its name, which is in the address. */
export const policyBody = policyRuleBody.omit({ name: true });
export const policyName = policyRuleBody.shape.name;
