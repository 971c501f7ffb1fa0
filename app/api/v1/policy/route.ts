import { z } from 'zod';
import { policyPlace } from '@/app/api/policy-bodies';
import { respond } from '@/app/api/respond';
import { readPolicyOf } from '@/lib/server/policy';

const query = z.object({ project: policyPlace });

/** Lists the rules of a project with what breaks them in its draft, or those of every project. */
export const GET = respond(query, async (_request, _params, actor, { project }) => {
  const { rules, breaches } = await readPolicyOf(actor, project);
  return {
    rules,
    breaches: breaches.map(({ rule, message, file, line }) => ({
      rule: rule.name,
      level: rule.level,
      message,
      file,
      line,
    })),
  };
});
