import { z } from 'zod';
import { policyBody, policyName, policyPlace } from '@/app/api/policy-bodies';
import { checkInput, readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { dropRule, setRule } from '@/lib/server/policy';

const query = z.object({ project: policyPlace });

function placeOf(request: Request) {
  return checkInput(Object.fromEntries(new URL(request.url).searchParams), query).project;
}

/** Sets a rule in place of one with its name. */
export const PUT = respond<{ readonly name: string }>(async (request, { name }, actor) => {
  const rule = await readJson(request, policyBody);
  await setRule(actor, placeOf(request), { ...rule, name: checkInput(name, policyName) });
  return new Response(null, { status: 204 });
});

export const DELETE = respond<{ readonly name: string }>(async (request, { name }, actor) => {
  await dropRule(actor, placeOf(request), name);
  return new Response(null, { status: 204 });
});
