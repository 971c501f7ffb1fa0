import { readImport } from '@/app/api/read-import';
import { respond } from '@/app/api/respond';
import { importFiles } from '@/lib/server/imports';

/**
 * `POST /api/v1/imports?project` stores the runs that files hold, in the forms of `POST /api/v1/projects`. Answers the ids of
 * the runs, and the files that hold none. Executes nothing.
 */
export const POST = respond(async (request, _params, actor) => {
  const { folder } = await readImport(request);
  const project = new URL(request.url).searchParams.get('project') ?? undefined;
  return Response.json(await importFiles(actor, folder, project), { status: 201 });
});
