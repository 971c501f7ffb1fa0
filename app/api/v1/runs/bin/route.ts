import { respond } from '@/app/api/respond';
import { binnedQuery } from '@/app/api/run-bin';
import { deleteNow, listBin } from '@/lib/server/run-bin';

/** Lists what is in the bin, by deletion, newest first. */
export const GET = respond(async (_request, _params, actor) => await listBin(actor));

/** Deletes a run of the bin for good, or all runs of a deletion, for three seconds at most; `more` says that a further request deletes more. */
export const DELETE = respond(
  binnedQuery,
  async (_request, _params, actor, { run, deletion = '' }) =>
    await deleteNow(actor, run === undefined ? { deletions: [deletion] } : { runs: [run] }),
);
