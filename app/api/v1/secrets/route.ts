import { z } from 'zod';
import { checkInput } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { secretPlace } from '@/app/api/secret-bodies';
import { readSecrets } from '@/lib/server/secrets';

const query = z.object({ project: secretPlace });

/** Lists secrets without their values, and what names them: of the project, or of the installation. */
export const GET = respond(async (request, _params, actor) => {
  const { project } = checkInput(Object.fromEntries(new URL(request.url).searchParams), query);
  return await readSecrets(actor, project);
});
