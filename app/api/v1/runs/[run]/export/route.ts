import { z } from 'zod';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { streamOf } from '@/app/api/stream-of';
import { exportForms, exportRun } from '@/lib/server/exports';

const query = z.object({ as: z.enum(exportForms) });

/** `GET /api/v1/runs/:id/export?as` answers the run so far as a file. */
export const GET = respond(query, async (_request, params: RunParams, actor, { as }) => {
  const id = runId(params);
  const { type, extension, chunks } = await exportRun(actor, id, as);
  return new Response(streamOf(chunks), {
    headers: { 'Content-Type': type, 'Content-Disposition': `attachment; filename="run-${id}.${extension}"` },
  });
});
