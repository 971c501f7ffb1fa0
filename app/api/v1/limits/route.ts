import { limitsBody } from '@/app/api/limit-bodies';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { changeLimits, readLimits } from '@/lib/server/run-limits';

export const GET = respond(async (_request, _params, actor) => await readLimits(actor));

/** Stores the limits of the installation and the budget of every project. */
export const PUT = respond(async (request, _params, actor) => {
  const { runs, disk, budget } = await readJson(request, limitsBody);
  await changeLimits(actor, { runs, diskBytes: disk?.bytesPerProject }, budget);
  return new Response(null, { status: 204 });
});
