import { type ProjectParams, projectId } from '@/app/api/project-id';
import { respond } from '@/app/api/respond';
import { removePin } from '@/lib/server/pins';

/** Removes a pinned result. Later runs call the tool again. */
export const DELETE = respond<ProjectParams & { readonly pin: string }>(async (_request, params, actor) => {
  await removePin(actor, projectId(params), params.pin);
  return new Response(null, { status: 204 });
});
