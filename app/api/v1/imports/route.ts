import { z } from 'zod';
import { importQuery, readImport } from '@/app/api/read-import';
import { respond } from '@/app/api/respond';
import { importFiles } from '@/lib/server/imports';

const query = importQuery.extend({ project: z.string().optional() });

/**
 * `POST /api/v1/imports?project` stores the runs that files hold, in the forms of `POST /api/v1/projects`. Answers the ids of
 * the runs, and the files that hold none. Executes nothing.
 */
export const POST = respond(query, async (request, _params, actor, { project, name }) => {
  const { folder } = await readImport(request, name);
  return Response.json(await importFiles(actor, folder, project), { status: 201 });
});
