import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { triggerBody } from '@/app/api/trigger-bodies';
import { addTrigger, readTriggers } from '@/lib/server/triggers';

/** Lists the triggers of a project, each with its next due times and its latest firings. */
export const GET = respond<ProjectParams>(async (_request, params, actor) => ({
  triggers: await readTriggers(actor, projectId(params)),
}));

/** Makes a trigger. The answer has the secret of a webhook, this once. */
export const POST = respond<ProjectParams>(async (request, params, actor) => {
  const project = projectId(params);
  const made = await addTrigger(actor, project, await readJson(request, triggerBody));
  const headers = { Location: `/api/v1/projects/${project}/triggers/${made.id}` };
  return Response.json(made, { status: 201, headers });
});
