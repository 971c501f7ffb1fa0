import { z } from 'zod';
import { checkInput, readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { keyTestBody, secretPlace } from '@/app/api/secret-bodies';
import { startKeyTest } from '@/lib/server/secrets';

const query = z.object({ project: secretPlace });

/** Asks a worker to try the key of a model provider: the stored one, or the one in the body. The answer is read from the task. */
export const POST = respond<{ readonly name: string }>(async (request, { name }, actor) => {
  const { project } = checkInput(Object.fromEntries(new URL(request.url).searchParams), query);
  const task = await startKeyTest(actor, project, { name, ...(await readJson(request, keyTestBody)) });
  return Response.json({ task }, { status: 202 });
});
