import { z } from 'zod';
import { respond } from '@/app/api/respond';
import { respondUnlessSame } from '@/app/api/respond-unless-same';
import { filterWith, findRuns, runsQuery } from '@/app/run-filter';
import { AppError } from '@/lib/base/app-error';
import { previewRemoval, removeRuns } from '@/lib/server/run-bin';
import { filterParts } from '@/lib/trace/run-filter';

/**
 * `GET /api/v1/runs?FILTER&limit&after` answers a page of runs grouped by correlation id, newest group first. `next` begins the
 * page after it. lib/trace/run-filter tells how a filter is written.
 */
export const GET = respond(runsQuery, async (request, _params, actor, asked) => {
  return respondUnlessSame(request, await findRuns(actor, asked));
});

const deletion = filterWith(z.object({ dryRun: z.enum(['true', 'false'], '"true" or "false".').default('false') }));

/**
 * Puts runs of a filter that have ended into the bin, for three seconds at most; `more` says that a further request deletes more, and
 * `POST /api/v1/runs/restore` with `deletion` brings them back for a day. A part without a value is refused, because a script whose
 * variable is empty would delete the runs of all projects. `dryRun=true` only counts.
 */
export const DELETE = respond(deletion, async (request, _params, actor, { where, dryRun }) => {
  const empty = [...new URL(request.url).searchParams].find(([, value]) => value.trim() === '');
  if (empty !== undefined) throw new AppError('bad_request', `${empty[0]}: has no value. Give one, or leave it out.`);
  if (where.length === 0) {
    throw new AppError('bad_request', `Say which runs: give at least one of ${filterParts.join(', ')}.`);
  }
  if (dryRun === 'true') return await previewRemoval(actor, { where, until: new Date() });
  const { deleted, more, deletion: id } = await removeRuns(actor, { where, until: new Date() }, 'keep');
  return { deleted, more, deletion: id };
});
