import { z } from 'zod';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import { scopes } from '@/lib/base/rights';
import { longestTokenDays } from '@/lib/base/token-request';

/** What a token may do. Null is every project, and no end. */
export const tokenChoice = z.strictObject({
  scopes: z
    .array(z.enum(scopes))
    .min(1, 'Choose what the token may do.')
    .transform((given) => scopes.filter((scope) => given.includes(scope))),
  project: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .transform((id) => brandAs<ProjectId>(id))
    .nullable(),
  days: z.number().int().min(1).max(longestTokenDays).nullable(),
});
