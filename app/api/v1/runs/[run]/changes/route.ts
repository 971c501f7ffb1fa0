import { z } from 'zod';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { readRunChanges } from '@/lib/server/compare-runs';

const query = z.object({ to: z.string('Give the id of another run.') });

/** `GET /api/v1/runs/:id/changes?to=OTHER` answers how the files of another run differ from those of this one. */
export const GET = respond(query, async (_request, params: RunParams, actor, { to }) => {
  return { files: await readRunChanges(actor, runId(params), runId({ run: to })) };
});
