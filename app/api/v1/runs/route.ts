import { respond } from '@/app/api/respond';
import { respondUnlessSame } from '@/app/api/respond-unless-same';
import { findRuns, readRunQuery, readWhere } from '@/app/run-filter';
import { AppError } from '@/lib/base/app-error';
import { removeRuns } from '@/lib/server/run-lists';

/**
 * `GET /api/v1/runs?FILTER&limit&after` answers a page of runs grouped by correlation id, newest group first. `next` begins the
 * page after it. lib/trace/run-filter tells how a filter is written.
 */
export const GET = respond(async (request, _params, actor) => {
  return respondUnlessSame(request, await findRuns(actor, readRunQuery(new URL(request.url).searchParams)));
});

/** Deletes runs of a filter that have ended, for three seconds at most; `more` says that a further request deletes more. */
export const DELETE = respond(async (request, _params, actor) => {
  const params = new URL(request.url).searchParams;
  const where = readWhere(params);
  if (where.length === 0 && params.get('all') !== 'true') {
    throw new AppError('bad_request', 'Give a filter, or all=true to delete every run that has ended.');
  }
  const { deleted, more } = await removeRuns(actor, { where, until: new Date() }, 'keep');
  return { deleted, more };
});
