import { z } from 'zod';
import { checkInput } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { streamOf } from '@/app/api/stream-of';
import { readWhere } from '@/app/run-filter';
import { toRunInfo } from '@/app/run-info';
import { csvHead, csvRow } from '@/app/run-table';
import { exportRuns } from '@/lib/server/run-lists';

const query = z.object({ format: z.enum(['csv', 'json'], 'One of csv, json.').default('csv') });

/** Sends all runs of a filter as a file, page by page. */
export const GET = respond(async (request, _params, actor) => {
  const params = new URL(request.url).searchParams;
  const { format } = checkInput(Object.fromEntries(params), query);
  const pages = await exportRuns(actor, readWhere(params));
  const parts = format === 'csv' ? csvParts(pages) : jsonParts(pages);
  return new Response(streamOf(parts), {
    headers: {
      'Content-Type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json',
      'Content-Disposition': `attachment; filename="runs.${format}"`,
    },
  });
});

type Pages = Awaited<ReturnType<typeof exportRuns>>;

async function* csvParts(pages: Pages): AsyncGenerator<string> {
  yield csvHead;
  for await (const page of pages) yield page.map((run) => csvRow(toRunInfo(run))).join('');
}

async function* jsonParts(pages: Pages): AsyncGenerator<string> {
  let before = '[\n';
  for await (const page of pages) {
    yield before + page.map((run) => JSON.stringify(toRunInfo(run))).join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}
