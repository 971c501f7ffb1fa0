import { z } from 'zod';
import { respond } from '@/app/api/respond';
import { streamOf } from '@/app/api/stream-of';
import { filterWith } from '@/app/run-filter';
import { toRunInfo } from '@/app/run-info';
import { csvHead, csvRow } from '@/app/run-table';
import { exportRuns } from '@/lib/server/run-lists';

const query = filterWith(z.object({ format: z.enum(['csv', 'json'], 'One of csv, json.').default('csv') }));

/** Sends all runs of a filter as a file, page by page. */
export const GET = respond(query, async (_request, _params, actor, { format, where }) => {
  const pages = await exportRuns(actor, where);
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
