import { isFromBrowser, originOf } from '@/app/api/brought-by';
import { readImport } from '@/app/api/read-import';
import { respond } from '@/app/api/respond';
import { blankProject } from '@/lib/server/blank-project';
import { createProject, listProjects } from '@/lib/server/projects';

export const GET = respond(async () => ({ projects: await listProjects() }));

export const POST = respond(async (request) => {
  const { name = 'Untitled', folder, template } = await readImport(request);
  const { id } =
    template === 'blank'
      ? await createProject({
          name,
          folder: blankProject,
          trust: { origin: isFromBrowser(request) ? 'blank' : 'api' },
        })
      : await createProject({ name, folder, trust: { origin: originOf(request) } });
  return Response.json({ id }, { status: 201, headers: { Location: `/api/v1/projects/${id}` } });
});
