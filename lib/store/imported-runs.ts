import type { PoolClient } from 'pg';
import { brandAs, type CorrelationId, type ProjectId, type RunId, type TreeHash } from '@/lib/base/ids';
import { eventFormat } from '@/lib/runtime/record/event-format';
import type { RunEvent } from '@/lib/runtime/record/events';
import { encodeTrace, traceFormat } from '@/lib/trace/columns';
import { usageByModel } from '@/lib/trace/cost';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import { RunTexts, summariseRun } from '@/lib/trace/run-summary';
import type { Store } from './database';
import { runEventsChannel } from './events';
import { toJsonText, toPlainJson, toPlainText } from './json-text';
import { toStoredSummary } from './run-summaries';
import { followSpans } from './scores';
import { transaction } from './transaction';

/*
 * Runs that were recorded elsewhere. Spans are stored as they arrive, and the events of their run are made from all of them,
 * whole, whenever more have arrived:
 *
 *   POST /v1/traces ─▶ addSpans (rows by span id, run marked unsettled) ─▶ settleRun: events, columns of the run and its
 *                                                                          trace in one transaction
 *
 * So spans may arrive late, twice and in any order. An imported run is never queued, and no worker takes it.
 */

export interface ImportedRunRow {
  readonly id: RunId;
  readonly projectId: ProjectId;
  readonly treeHash: TreeHash;
  readonly source: string;
}

/** What of a run is known once its events are. */
export interface ImportedRun {
  readonly source: string;
  readonly correlationId: CorrelationId;
  readonly events: readonly RunEvent[];
}

/** A stored span: its id, and the span as JSON text. */
export interface SpanRow {
  readonly spanId: string;
  readonly body: string;
}

/** A trace may have at most this many spans. */
export const mostSpansOfRun = 100_000;

/**
 * Stores spans of a run and marks it unsettled. The run is made if there is none. Returns how many were stored: fewer than
 * given when the run is full.
 */
export async function addSpans(store: Store, run: ImportedRunRow, spans: readonly SpanRow[]): Promise<number> {
  return await transaction(store, async (client) => {
    await insertRun(client, run);
    await client.query('INSERT INTO "ImportedTrace" ("runId") VALUES ($1) ON CONFLICT DO NOTHING', [run.id]);
    const { rows } = await client.query<{ spanCount: number }>(
      'SELECT "spanCount" FROM "ImportedTrace" WHERE "runId" = $1 FOR UPDATE',
      [run.id],
    );
    const room = Math.max(0, mostSpansOfRun - (rows[0]?.spanCount ?? 0));
    const fitting = spans.slice(0, room);
    const { rows: added } = await client.query<{ isNew: boolean }>({
      name: 'add-spans',
      text: `INSERT INTO "ImportedSpan" ("runId", "spanId", body)
        SELECT $1, * FROM unnest($2::text[], $3::text[])
        ON CONFLICT ("runId", "spanId") DO UPDATE SET body = EXCLUDED.body
        WHERE "ImportedSpan".body <> EXCLUDED.body
        RETURNING xmax = 0 AS "isNew"`,
      values: [run.id, fitting.map((span) => span.spanId), fitting.map((span) => span.body)],
    });
    const more = added.filter(({ isNew }) => isNew).length;
    await client.query(
      `UPDATE "ImportedTrace" SET "spanCount" = "spanCount" + $2, unsettled = unsettled OR $3, "receivedAt" = now()
       WHERE "runId" = $1`,
      [run.id, more, added.length > 0],
    );
    return fitting.length;
  });
}

/** Lists runs with spans that their events do not have yet. */
export async function findUnsettledRuns(store: Store): Promise<readonly RunId[]> {
  const { rows } = await store.pool.query<{ runId: string }>(
    'SELECT "runId" FROM "ImportedTrace" WHERE unsettled ORDER BY "receivedAt" LIMIT 1000',
  );
  return rows.map(({ runId }) => brandAs<RunId>(runId));
}

/**
 * Makes the events of a run from its stored spans. `make` gets the texts of all spans. Does nothing when the run is settled
 * or was deleted.
 */
export async function settleRun(
  store: Store,
  runId: RunId,
  make: (bodies: readonly string[]) => ImportedRun | undefined,
): Promise<boolean> {
  return await transaction(store, async (client) => {
    const { rowCount } = await client.query(
      'UPDATE "ImportedTrace" SET unsettled = false WHERE "runId" = $1 AND unsettled',
      [runId],
    );
    if (rowCount !== 1) return false;
    const { rows } = await client.query<{ body: string }>(
      'SELECT body FROM "ImportedSpan" WHERE "runId" = $1 ORDER BY "spanId"',
      [runId],
    );
    const run = make(rows.map(({ body }) => body));
    if (run !== undefined) await replaceEvents(client, runId, run);
    return true;
  });
}

/** Returns a number that grows whenever the events of a run are replaced; `undefined` if there is no such run. */
export async function readRunVersion(store: Store, runId: RunId): Promise<number | undefined> {
  const { rows } = await store.pool.query<{ epoch: number }>('SELECT epoch FROM "Run" WHERE id = $1', [runId]);
  return rows[0]?.epoch;
}

/** Stores a run whose events are all known, in place of an earlier import of the same run. */
export async function putImportedRun(store: Store, row: ImportedRunRow, run: ImportedRun): Promise<void> {
  await transaction(store, async (client) => {
    await insertRun(client, row);
    await client.query('SELECT 1 FROM "Run" WHERE id = $1 FOR UPDATE', [row.id]);
    await replaceEvents(client, row.id, run);
  });
}

async function insertRun(client: PoolClient, { id, projectId, treeHash, source }: ImportedRunRow): Promise<void> {
  await client.query(
    `INSERT INTO "Run" (id, "projectId", "treeHash", "correlationId", source, message, status, "startedAt", "finishedAt")
     VALUES ($1, $2, $3, $1, $4, $5, 'completed', now(), now()) ON CONFLICT (id) DO NOTHING`,
    [id, projectId, treeHash, source, toJsonText('')],
  );
}

async function replaceEvents(client: PoolClient, runId: RunId, run: ImportedRun): Promise<void> {
  const { events, source, correlationId } = run;
  const first = events[0];
  const last = events.at(-1);
  if (first?.kind !== 'run.started' || last?.kind !== 'run.finished')
    throw new Error('Bug: an imported log is not whole');
  await client.query('DELETE FROM "Event" WHERE "runId" = $1', [runId]);
  const trace = emptyTrace();
  const texts = new RunTexts();
  let bytes = 0;
  for (let from = 0; from < events.length; from += mostRows) {
    const batch = events.slice(from, from + mostRows);
    for (const event of batch) {
      foldEvent(trace, event);
      texts.add(event);
    }
    bytes += await insertEvents(client, runId, batch);
  }
  await followSpans(client, runId);
  const summary = toStoredSummary(summariseRun(trace), texts);
  await client.query(
    `INSERT INTO "RunTrace" ("runId", format, bytes, "modelUsage") VALUES ($1, $2, $3, $4)
     ON CONFLICT ("runId") DO UPDATE SET format = $2, bytes = $3, "modelUsage" = $4`,
    [runId, traceFormat, Buffer.from(encodeTrace(trace).buffer), toPlainJson(usageByModel(trace))],
  );
  await client.query(
    `UPDATE "Run" SET "correlationId" = $2, source = $3, status = $4, "entryAgent" = $5, message = $6, answer = $7,
       error = $8, usage = $9, "createdAt" = to_timestamp($10::float8 / 1000), "startedAt" = to_timestamp($10::float8 / 1000),
       "finishedAt" = to_timestamp($11::float8 / 1000), "lastSeq" = $12, epoch = epoch + 1, summarised = true,
       bytes = $13, "waitedMs" = $14, "costUsd" = $15, tokens = $16, agents = $17, tools = $18, hooks = $19, texts = $20, "peopleMs" = $21
     WHERE id = $1`,
    [
      ...[runId, toPlainText(correlationId), source, last.status, toPlainText(first.entryAgent)],
      toJsonText(first.message),
      last.answer === undefined ? null : toJsonText(last.answer),
      last.error === undefined ? null : JSON.stringify(last.error),
      ...[toPlainJson(last.usage), first.at, last.at, last.seq, bytes],
      ...[
        summary.waitedMs,
        summary.costUsd,
        summary.tokens,
        summary.agents,
        summary.tools,
        summary.hooks,
        summary.texts,
        summary.peopleMs,
      ],
    ],
  );
  await client.query(`SELECT pg_notify('${runEventsChannel}', $1)`, [`${runId}:${last.seq}`]);
}

const mostRows = 2_000;

/** Returns the bytes of the events. */
async function insertEvents(client: PoolClient, runId: RunId, events: readonly RunEvent[]): Promise<number> {
  const bodies = events.map((event) => JSON.stringify(event));
  await client.query({
    name: 'insert-imported-events',
    text: `INSERT INTO "Event" ("runId", format, seq, at, kind, path, step, body)
      SELECT $1, ${eventFormat}, row.* FROM unnest($2::int[], $3::float8[], $4::text[], $5::text[], $6::text[], $7::text[]) row`,
    values: [
      runId,
      events.map((event) => event.seq),
      events.map((event) => event.at),
      events.map((event) => event.kind),
      events.map((event) => ('path' in event && event.path !== undefined ? toPlainText(event.path) : null)),
      events.map((event) => ('step' in event && event.step !== undefined ? toPlainText(event.step) : null)),
      bodies,
    ],
  });
  return bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0);
}
