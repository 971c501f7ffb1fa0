import { pendingIds } from '@/app/api/pending-bodies';
import { pendingId } from '@/app/api/pending-id';
import { checkInput } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { readManyPending } from '@/lib/server/pending';

/** Several questions, whole, in the order of `ids`. Those that are gone are left out. */
export const GET = respond(async (request, _params, actor) => {
  const { ids } = checkInput(Object.fromEntries(new URL(request.url).searchParams), pendingIds);
  return {
    items: await readManyPending(
      actor,
      ids.map((item) => pendingId({ item })),
    ),
  };
});
