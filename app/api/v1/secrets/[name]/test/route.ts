import { z } from 'zod';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { keyTestBody, secretPlace } from '@/app/api/secret-bodies';
import { startKeyTest } from '@/lib/server/secrets';

const query = z.object({ project: secretPlace });

/** Asks a worker to try the key of a model provider: the stored one, or the one in the body. The answer is read from the task. */
export const POST = respond(query, async (request, { name }: { readonly name: string }, actor, { project }) => {
  const task = await startKeyTest(actor, project, { name, ...(await readJson(request, keyTestBody)) });
  return Response.json({ task }, { status: 202 });
});
