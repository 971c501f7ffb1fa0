import { respond } from '@/app/api/respond';
import { respondUnlessSame } from '@/app/api/respond-unless-same';
import { readWhere } from '@/app/run-filter';
import { chartRuns } from '@/lib/server/run-lists';

export const GET = respond(async (request, _params, actor) => {
  return respondUnlessSame(request, await chartRuns(actor, readWhere(new URL(request.url).searchParams)));
});
