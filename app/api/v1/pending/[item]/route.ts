import { type PendingParams, pendingId } from '@/app/api/pending-id';
import { respond } from '@/app/api/respond';
import { readPending } from '@/lib/server/pending';

/** A question, whole, with what may be answered. */
export const GET = respond<PendingParams>(
  async (_request, params, actor) => await readPending(actor, pendingId(params)),
);
