import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { removeScore } from '@/lib/server/scores';

/** Deletes a score: authors their own, admins of the project any. */
export const DELETE = respond<RunParams & { readonly score: string }>(async (_request, params, actor) => {
  await removeScore(actor, runId(params), params.score.slice(0, 64));
  return new Response(null, { status: 204 });
});
