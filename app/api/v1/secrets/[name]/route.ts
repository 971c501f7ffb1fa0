import { z } from 'zod';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { secretBody, secretPlace } from '@/app/api/secret-bodies';
import { forgetSecret, setSecret } from '@/lib/server/secrets';

const query = z.object({ project: secretPlace });

/** Stores a secret in place of one with its name. */
export const PUT = respond(query, async (request, { name }: { readonly name: string }, actor, { project }) => {
  await setSecret(actor, project, { name, ...(await readJson(request, secretBody)) });
  return new Response(null, { status: 204 });
});

export const DELETE = respond(query, async (_request, { name }: { readonly name: string }, actor, { project }) => {
  await forgetSecret(actor, project, name);
  return new Response(null, { status: 204 });
});
