import { z } from 'zod';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { streamOf } from '@/app/api/stream-of';
import { noteRunExport } from '@/lib/server/exports';
import { readRunOtlp } from '@/lib/server/runs';
import { otlpText } from '@/lib/trace/otlp-json';

const query = z.object({ texts: z.enum(['yes', 'no'], '"yes" or "no".').default('no') });

/**
 * `GET /api/v1/runs/:id/otlp?texts` answers the run so far as OTLP/JSON, a file for programs that read OpenTelemetry traces
 * (lib/trace/otel.ts).
 */
export const GET = respond(query, async (_request, params: RunParams, actor, { texts }) => {
  const id = runId(params);
  await noteRunExport(actor, id, texts === 'yes' ? 'otlp with texts' : 'otlp');
  const trace = await readRunOtlp(actor, id, texts === 'yes');
  return new Response(streamOf(otlpText(trace)), {
    headers: {
      'Content-Type': 'application/json',
      'Content-Disposition': `attachment; filename="run-${id}.otlp.json"`,
    },
  });
});
