import { respond } from '@/app/api/respond';
import { respondUnlessSame } from '@/app/api/respond-unless-same';
import { findRuns, readRunQuery } from '@/app/run-filter';

/**
 * `GET /api/v1/runs?FILTER&limit&after` answers a page of runs grouped by correlation id, newest group first. `next` begins the
 * page after it. lib/trace/run-filter tells how a filter is written.
 */
export const GET = respond(async (request) => {
  return respondUnlessSame(request, await findRuns(readRunQuery(new URL(request.url).searchParams)));
});
