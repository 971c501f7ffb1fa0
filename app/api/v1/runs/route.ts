import { checkInput } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { respondUnlessSame } from '@/app/api/respond-unless-same';
import { findRuns, runQuery } from '@/app/run-filter';

/**
 * `GET /api/v1/runs?status&project&agent&text&correlation&limit&after` answers a page of runs grouped by correlation id,
 * newest group first. `next` begins the page after it.
 */
export const GET = respond(async (request) => {
  const query = checkInput(Object.fromEntries(new URL(request.url).searchParams), runQuery);
  return respondUnlessSame(request, await findRuns(query));
});
