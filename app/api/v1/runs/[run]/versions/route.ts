import { z } from 'zod';
import { eventStream } from '@/app/api/event-stream';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { streamRunVersions } from '@/lib/server/runs';

const query = z.object({ after: z.coerce.number('Give a number.').int('Give a whole number.') });

/**
 * `GET /api/v1/runs/:id/versions?after=N` streams the version of a run whenever its events were replaced, which happens to
 * imported runs when more spans arrive. The stream ends when the run is deleted.
 */
export const GET = respond(query, async (request, params: RunParams, actor, { after }) => {
  const id = runId(params);
  const gone = new AbortController();
  request.signal.addEventListener('abort', () => gone.abort());
  return eventStream(await streamRunVersions(actor, { id, after, signal: gone.signal }), () => gone.abort());
});
