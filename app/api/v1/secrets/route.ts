import { z } from 'zod';
import { respond } from '@/app/api/respond';
import { secretPlace } from '@/app/api/secret-bodies';
import { readSecrets } from '@/lib/server/secrets';

const query = z.object({ project: secretPlace });

/** Lists secrets without their values, and what names them: of the project, or of the installation. */
export const GET = respond(query, async (_request, _params, actor, { project }) => {
  return await readSecrets(actor, project);
});
