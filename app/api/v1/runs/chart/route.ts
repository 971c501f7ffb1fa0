import { respond } from '@/app/api/respond';
import { respondUnlessSame } from '@/app/api/respond-unless-same';
import { readWhere } from '@/app/run-filter';
import { chartRuns } from '@/lib/server/run-lists';

export const GET = respond(async (request) => {
  return respondUnlessSame(request, await chartRuns(readWhere(new URL(request.url).searchParams)));
});
