import { z } from 'zod';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { readRunDigests } from '@/lib/server/compare-runs';

const query = z.object({
  after: z.coerce
    .number('Give a number.')
    .int('Give a whole number.')
    .min(0, 'Not below 0.')
    .max(2_147_483_647)
    .default(0),
});

/** `GET /api/v1/runs/:id/digests?after=N` answers digests of what the events after N say, 4 bytes each, for a comparison. */
export const GET = respond(query, async (_request, params: RunParams, actor, { after }) => {
  const bytes = await readRunDigests(actor, runId(params), after);
  return new Response(new Uint8Array(bytes), { headers: { 'Content-Type': 'application/octet-stream' } });
});
