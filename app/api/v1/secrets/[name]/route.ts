import { z } from 'zod';
import { checkInput, readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { secretBody, secretPlace } from '@/app/api/secret-bodies';
import { forgetSecret, setSecret } from '@/lib/server/secrets';

const query = z.object({ project: secretPlace });

function placeOf(request: Request) {
  return checkInput(Object.fromEntries(new URL(request.url).searchParams), query).project;
}

/** Stores a secret in place of one with its name. */
export const PUT = respond<{ readonly name: string }>(async (request, { name }, actor) => {
  await setSecret(actor, placeOf(request), { name, ...(await readJson(request, secretBody)) });
  return new Response(null, { status: 204 });
});

export const DELETE = respond<{ readonly name: string }>(async (request, { name }, actor) => {
  await forgetSecret(actor, placeOf(request), name);
  return new Response(null, { status: 204 });
});
