import { respond } from '@/app/api/respond';
import { respondUnlessSame } from '@/app/api/respond-unless-same';
import { runFilter } from '@/app/run-filter';
import { chartRuns } from '@/lib/server/run-lists';

export const GET = respond(runFilter, async (request, _params, actor, { where }) => {
  return respondUnlessSame(request, await chartRuns(actor, where));
});
