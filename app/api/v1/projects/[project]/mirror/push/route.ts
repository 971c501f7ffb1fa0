import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readNoBody } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { pushMirror } from '@/lib/server/mirror';

/** Has a worker push now, and does not wait for it. */
export const POST = respond<ProjectParams>(async (request, params, actor) => {
  await readNoBody(request);
  await pushMirror(actor, projectId(params));
  return new Response(null, { status: 202 });
});
