import { z } from 'zod';
import { checkInput } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { streamOf } from '@/app/api/stream-of';
import { exportForms, exportRun } from '@/lib/server/exports';

const query = z.object({ as: z.enum(exportForms) });

/** `GET /api/v1/runs/:id/export?as` answers the run so far as a file. */
export const GET = respond<RunParams>(async (request, params, actor) => {
  const id = runId(params);
  const { as } = checkInput(Object.fromEntries(new URL(request.url).searchParams), query);
  const { type, extension, chunks } = await exportRun(actor, id, as);
  return new Response(streamOf(chunks), {
    headers: { 'Content-Type': type, 'Content-Disposition': `attachment; filename="run-${id}.${extension}"` },
  });
});
