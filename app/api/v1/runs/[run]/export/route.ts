import { z } from 'zod';
import { checkInput } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { exportForms, exportRun } from '@/lib/server/exports';

const query = z.object({ as: z.enum(exportForms) });

/** `GET /api/v1/runs/:id/export?as` answers the run so far as a file. */
export const GET = respond<RunParams>(async (request, params) => {
  const id = runId(params);
  const { as } = checkInput(Object.fromEntries(new URL(request.url).searchParams), query);
  const { type, extension, chunks } = await exportRun(id, as);
  const encoder = new TextEncoder();
  const iterator = chunks[Symbol.asyncIterator]();
  const body = new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await iterator.return?.(undefined);
    },
  });
  return new Response(body, {
    headers: { 'Content-Type': type, 'Content-Disposition': `attachment; filename="run-${id}.${extension}"` },
  });
});
