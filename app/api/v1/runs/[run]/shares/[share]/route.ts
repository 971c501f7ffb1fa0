import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { revokeShare } from '@/lib/server/accounts/shares';

/** Revokes a link to the run. Pages that show it end within 10 seconds. */
export const DELETE = respond<RunParams & { readonly share: string }>(async (_request, params, actor) => {
  await revokeShare(actor, runId(params), params.share.slice(0, 64));
  return new Response(null, { status: 204 });
});
