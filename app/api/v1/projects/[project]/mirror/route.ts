import { mirrorBody } from '@/app/api/mirror-bodies';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { forgetMirror, readMirror, setMirror } from '@/lib/server/mirror';

export const GET = respond<ProjectParams>(async (_request, params, actor) => ({
  mirror: await readMirror(actor, projectId(params)),
}));

/** Sets where the git history goes. */
export const PUT = respond<ProjectParams>(async (request, params, actor) => {
  await setMirror(actor, projectId(params), await readJson(request, mirrorBody));
  return new Response(null, { status: 204 });
});

export const DELETE = respond<ProjectParams>(async (_request, params, actor) => {
  await forgetMirror(actor, projectId(params));
  return new Response(null, { status: 204 });
});
