import { z } from 'zod';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { brandAs, type InstancePath } from '@/lib/base/ids';
import { readRecordedSurface } from '@/lib/server/recorded-surface';

const query = z.object({ instance: z.string('Name the path of an instance.').min(1).max(10_000) });

/** Answers what the model of an instance saw: `?instance=<path>`. */
export const GET = respond(query, async (_request, params: RunParams, actor, { instance }) => {
  return await readRecordedSurface(actor, runId(params), brandAs<InstancePath>(instance));
});
