import { z } from 'zod';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { spansToShow } from '@/app/api/spans-to-show';
import { streamOf } from '@/app/api/stream-of';
import { exportForms, exportRun } from '@/lib/server/exports';

const query = z.object({ as: z.enum(exportForms), spans: spansToShow });

/** `GET /api/v1/runs/:id/export?as` answers the run so far as a file. `?spans=all` adds the spans of the framework of an imported run. */
export const GET = respond(query, async (_request, params: RunParams, actor, { as, spans }) => {
  const id = runId(params);
  const { type, extension, chunks } = await exportRun(actor, id, as, { allSpans: spans === 'all' });
  return new Response(streamOf(chunks), {
    headers: { 'Content-Type': type, 'Content-Disposition': `attachment; filename="run-${id}.${extension}"` },
  });
});
