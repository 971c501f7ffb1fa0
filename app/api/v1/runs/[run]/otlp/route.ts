import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { noteRunExport } from '@/lib/server/exports';
import { readRunOtlp } from '@/lib/server/runs';

/** Answers the run so far as OTLP/JSON, a file for programs that read OpenTelemetry traces (lib/trace/otel.ts). */
export const GET = respond<RunParams>(async (_request, params, actor) => {
  const id = runId(params);
  await noteRunExport(actor, id, 'otlp');
  return Response.json(await readRunOtlp(actor, id), {
    headers: { 'Content-Disposition': `attachment; filename="run-${id}.otlp.json"` },
  });
});
