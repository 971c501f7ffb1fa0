import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readNoBody } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { createProject, openProject } from '@/lib/server/projects';

/** Creates a project with the same files. It is trusted as the original is. Runs stay with the original. */
export const POST = respond<ProjectParams>(async (request, params, actor) => {
  await readNoBody(request);
  const original = projectId(params);
  const { name, folder } = await openProject(actor, original);
  const { id } = await createProject(actor, {
    name: `${name.slice(0, 190)} (copy)`,
    folder,
    trust: { copyOf: original },
  });
  return Response.json({ id }, { status: 201, headers: { Location: `/api/v1/projects/${id}` } });
});
