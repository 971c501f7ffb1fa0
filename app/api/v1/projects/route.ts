import { isFromBrowser, originOf } from '@/app/api/brought-by';
import { importQuery, readImport } from '@/app/api/read-import';
import { respond } from '@/app/api/respond';
import { projectQuery } from '@/app/project-query';
import { blankProject } from '@/lib/server/blank-project';
import { installationFor } from '@/lib/server/installation';
import { createProject, listProjectNames, listProjects } from '@/lib/server/projects';

/**
 * `GET /api/v1/projects?text&limit&after&fields` answers a page of projects, last changed first. `next` begins the page
 * after it.
 */
export const GET = respond(projectQuery, async (_request, _params, actor, { fields, ...query }) => {
  return fields === 'name' ? await listProjectNames(actor, query) : await listProjects(actor, query);
});

export const POST = respond(importQuery, async (request, _params, actor, asked) => {
  const { name = 'Untitled', folder, template } = await readImport(request, asked.name);
  const { id } =
    template === 'blank'
      ? await createProject(actor, {
          name,
          folder: blankProject((await installationFor()).models),
          trust: { origin: isFromBrowser(request) ? 'blank' : 'api' },
        })
      : await createProject(actor, { name, folder, trust: { origin: originOf(request) } });
  return Response.json({ id }, { status: 201, headers: { Location: `/api/v1/projects/${id}` } });
});
