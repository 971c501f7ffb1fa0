import { pinBody } from '@/app/api/project-bodies';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { pinResult, readPins } from '@/lib/server/pins';

/** Lists the pinned results of a project, newest first. */
export const GET = respond<ProjectParams>(async (_request, params, actor) => ({
  pins: await readPins(actor, projectId(params)),
}));

/** Pins the result of a recorded tool call for the next runs. */
export const POST = respond<ProjectParams>(async (request, params, actor) => {
  const pin = await pinResult(actor, projectId(params), await readJson(request, pinBody));
  return Response.json(pin, { status: 201 });
});
