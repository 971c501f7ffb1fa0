import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { readRunTrace } from '@/lib/server/runs';

const compress = promisify(gzip);

/**
 * The run so far as columns (lib/trace/columns.ts), for the run page. `Callboard-Time` is the server's clock in epoch
 * milliseconds, so that open bars end at the server's now and not at the browser's.
 */
export const GET = respond<RunParams>(async (request, params) => {
  const bytes = await readRunTrace(runId(params));
  const headers = new Headers({
    'Content-Type': 'application/vnd.callboard.trace',
    'Callboard-Time': String(Date.now()),
    Vary: 'Accept-Encoding',
  });
  if (!/\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')) return new Response(body(bytes), { headers });
  headers.set('Content-Encoding', 'gzip');
  return new Response(body(await compress(bytes)), { headers });
});

function body(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
}
