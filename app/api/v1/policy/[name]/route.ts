import { z } from 'zod';
import { policyBody, policyName, policyPlace } from '@/app/api/policy-bodies';
import { checkInput, readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { dropRule, setRule } from '@/lib/server/policy';

const query = z.object({ project: policyPlace });

/** Sets a rule in place of one with its name. */
export const PUT = respond(query, async (request, { name }: { readonly name: string }, actor, { project }) => {
  const rule = await readJson(request, policyBody);
  await setRule(actor, project, { ...rule, name: checkInput(name, policyName) });
  return new Response(null, { status: 204 });
});

export const DELETE = respond(query, async (_request, { name }: { readonly name: string }, actor, { project }) => {
  await dropRule(actor, project, name);
  return new Response(null, { status: 204 });
});
