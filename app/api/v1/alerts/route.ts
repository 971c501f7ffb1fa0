import { z } from 'zod';
import { alertBody } from '@/app/api/alert-bodies';
import { projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { addAlert, readAlertPage } from '@/lib/server/alerts';

const query = z.object({
  project: z.string().optional(),
  limit: z.coerce.number('Give a number.').int('Give a whole number.').min(1).max(500, 'At most 500.').default(100),
  after: z.string().max(400, 'Give the "next" of the page before.').optional(),
});

const projectOf = (id: string | undefined) => (id === undefined ? undefined : projectId({ project: id }));

/** Lists the alerts that the caller may see, oldest first: of a project and of every project, or of all. */
export const GET = respond(query, async (_request, _params, actor, { project, ...page }) => {
  return await readAlertPage(actor, { project: projectOf(project), limit: page.limit, after: page.after });
});

/** Makes an alert on the runs of a project, or of every project. */
export const POST = respond(async (request, _params, actor) => {
  const { project, ...line } = await readJson(request, alertBody);
  const made = await addAlert(actor, projectOf(project), line);
  return Response.json(made, { status: 201, headers: { Location: `/api/v1/alerts/${made.id}` } });
});
