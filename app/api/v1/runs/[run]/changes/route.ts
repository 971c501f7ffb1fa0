import { z } from 'zod';
import { checkInput } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { readRunChanges } from '@/lib/server/compare-runs';

const query = z.object({ to: z.string('Give the id of another run.') });

/** `GET /api/v1/runs/:id/changes?to=OTHER` answers how the files of another run differ from those of this one. */
export const GET = respond<RunParams>(async (request, params, actor) => {
  const { to } = checkInput(Object.fromEntries(new URL(request.url).searchParams), query);
  return { files: await readRunChanges(actor, runId(params), runId({ run: to })) };
});
