import type { RunId } from '@/lib/base/ids';
import { encodeTrace, traceFormat } from '@/lib/trace/columns';
import { usageByModel } from '@/lib/trace/cost';
import type { Trace } from '@/lib/trace/trace';
import type { Store } from './database';

/** Stores the trace of a run that has ended, and replaces one of an older format. Returns the stored bytes. */
export async function saveRunTrace(store: Store, runId: RunId, trace: Trace): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = encodeTrace(trace);
  await store.pool.query({
    name: 'save-run-trace',
    text: `INSERT INTO "RunTrace" ("runId", format, bytes, "modelUsage")
     SELECT id, $2::int, $3::bytea, $4::jsonb FROM "Run" WHERE id = $1
     ON CONFLICT ("runId") DO UPDATE SET format = $2::int, bytes = $3::bytea, "modelUsage" = $4::jsonb`,
    values: [runId, traceFormat, Buffer.from(bytes.buffer), JSON.stringify(usageByModel(trace))],
  });
  return bytes;
}

/** Reads the trace as `encodeTrace` wrote it. Returns `undefined` when there is none, or only one of another format. */
export async function readRunTrace(store: Store, runId: RunId): Promise<Uint8Array | undefined> {
  const { rows } = await store.pool.query<{ bytes: Uint8Array }>(
    'SELECT bytes FROM "RunTrace" WHERE "runId" = $1 AND format = $2',
    [runId, traceFormat],
  );
  return rows[0]?.bytes;
}
