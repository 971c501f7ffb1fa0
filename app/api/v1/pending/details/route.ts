import { pendingIds } from '@/app/api/pending-bodies';
import { pendingId } from '@/app/api/pending-id';
import { respond } from '@/app/api/respond';
import { readManyPending } from '@/lib/server/pending';

/** Several questions, whole, in the order of `ids`. Those that are gone are left out. */
export const GET = respond(pendingIds, async (_request, _params, actor, { ids }) => {
  return {
    items: await readManyPending(
      actor,
      ids.map((item) => pendingId({ item })),
    ),
  };
});
