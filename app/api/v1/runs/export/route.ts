import { z } from 'zod';
import { checkInput } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { readWhere } from '@/app/run-filter';
import { toRunInfo } from '@/app/run-info';
import { csvHead, csvRow } from '@/app/run-table';
import { exportRuns } from '@/lib/server/run-lists';

const query = z.object({ format: z.enum(['csv', 'json'], 'One of csv, json.').default('csv') });

/** Sends all runs of a filter as a file, page by page. */
export const GET = respond(async (request) => {
  const params = new URL(request.url).searchParams;
  const { format } = checkInput(Object.fromEntries(params), query);
  const parts = format === 'csv' ? csvParts(readWhere(params)) : jsonParts(readWhere(params));
  return new Response(streamOf(parts), {
    headers: {
      'Content-Type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json',
      'Content-Disposition': `attachment; filename="runs.${format}"`,
    },
  });
});

async function* csvParts(where: Parameters<typeof exportRuns>[0]): AsyncGenerator<string> {
  yield csvHead;
  for await (const page of exportRuns(where)) yield page.map((run) => csvRow(toRunInfo(run))).join('');
}

async function* jsonParts(where: Parameters<typeof exportRuns>[0]): AsyncGenerator<string> {
  let before = '[\n';
  for await (const page of exportRuns(where)) {
    yield before + page.map((run) => JSON.stringify(toRunInfo(run))).join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** Sends parts as the reader takes them. */
function streamOf(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await parts.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}
