import { z } from 'zod';
import { checkInput } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { brandAs, type InstancePath } from '@/lib/base/ids';
import { readRecordedSurface } from '@/lib/server/recorded-surface';

const query = z.object({ instance: z.string('Name the path of an instance.').min(1).max(10_000) });

/** Answers what the model of an instance saw: `?instance=<path>`. */
export const GET = respond<RunParams>(async (request, params, actor) => {
  const { instance } = checkInput(Object.fromEntries(new URL(request.url).searchParams), query);
  return await readRecordedSurface(actor, runId(params), brandAs<InstancePath>(instance));
});
