import { checkInput } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { findRuns, runQuery } from '@/app/run-filter';

/**
 * `GET /api/v1/runs?status&project&agent&text&correlation&limit`: runs grouped by correlation id, newest group first, and
 * how many groups there are in all.
 */
export const GET = respond(async (request) => {
  return await findRuns(checkInput(Object.fromEntries(new URL(request.url).searchParams), runQuery));
});
