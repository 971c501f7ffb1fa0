import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { z } from 'zod';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { spansToShow } from '@/app/api/spans-to-show';
import { getRunVersion, readRunTrace } from '@/lib/server/runs';

const query = z.object({ spans: spansToShow });

const compress = promisify(gzip);

/**
 * Answers the run so far as columns (lib/trace/columns.ts), for the run page. The gzip is part of the format and not a
 * transfer encoding, because Next drops `Content-Encoding` from a handler's answer. `Callboard-Time` is the server's clock
 * in epoch milliseconds, so that open bars end at the server's time and not at the browser's. `Callboard-Version` is for
 * `…/versions?after`. `?spans=all` adds the spans of the framework of an imported run.
 */
export const GET = respond(query, async (_request, params: RunParams, actor, { spans }) => {
  const id = runId(params);
  // The version is read first, so that the columns are never older than it says.
  const version = await getRunVersion(actor, id);
  const bytes = await compress(await readRunTrace(actor, id, { allSpans: spans === 'all' }));
  return new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': 'application/vnd.callboard.trace+gzip',
      'Callboard-Time': String(Date.now()),
      'Callboard-Version': String(version),
    },
  });
});
