import { type ProjectParams, projectId } from '@/app/api/project-id';
import { respond } from '@/app/api/respond';
import { pushMirror } from '@/lib/server/mirror';

/** Has a worker push now, and does not wait for it. */
export const POST = respond<ProjectParams>(async (_request, params, actor) => {
  await pushMirror(actor, projectId(params));
  return new Response(null, { status: 202 });
});
