import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { binnedBody } from '@/app/api/run-bin';
import { restoreRuns } from '@/lib/server/run-bin';

/** Takes runs out of the bin, for three seconds at most; `more` says that a further request restores more. */
export const POST = respond(
  async (request, _params, actor) => await restoreRuns(actor, await readJson(request, binnedBody)),
);
