import type { PoolClient } from 'pg';
import { brandAs, type ProjectId, type RunId, type TreeHash } from '@/lib/base/ids';
import { eventFormat } from '@/lib/runtime/record/event-format';
import { traceFormat } from '@/lib/trace/columns';
import type { Store } from './database';
import { runEventsChannel } from './events';
import type { EncodedRows, EncodedRun } from './imported-run-rows';
import { toJsonText } from './json-text';
import { followSpans } from './scores';
import { transaction } from './transaction';

/*
 * Runs that were recorded elsewhere. Spans are stored as they arrive, and the events of their run are made from all of them,
 * whole, whenever more have arrived:
 *
 *   POST /v1/traces ─▶ addSpans (rows by span id, run marked unsettled)
 *                      readUnsettledRun ─▶ encodeRun, in another thread ─▶ settleRun: events, columns of the run and its trace
 *
 * So spans may arrive late, twice and in any order. An imported run is never queued, and no worker takes it. Spans of a run in the bin
 * are stored too, so that it is whole if somebody brings it back. Rows come as JSON in bytes and go to Postgres as they are, because a
 * run may have 200,000 of them.
 */

export interface ImportedRunRow {
  readonly id: RunId;
  readonly projectId: ProjectId;
  readonly treeHash: TreeHash;
  readonly source: string;
}

/** A trace may have at most this many spans. */
export const mostSpansOfRun = 100_000;
/** Events are made of spans with at most this many bytes as JSON, because they are all in memory then. */
const mostBytesOfRun = 256 * 1024 * 1024;
const pageBytes = 8 * 1024 * 1024;
const pageSpans = 2_000;

/** All spans of a run that its events do not have yet. */
export interface UnsettledRun {
  /** Changes whenever spans arrive. */
  readonly version: string;
  /** Lists of spans as JSON. `undefined` if they have more than 256 MiB. */
  readonly pages: readonly Uint8Array[] | undefined;
}

/**
 * Stores spans of a run and marks it unsettled. The run is made if there is none. Returns how many were stored: fewer than
 * given when the run is full.
 */
export async function addSpans(store: Store, run: ImportedRunRow, spans: readonly EncodedRows[]): Promise<number> {
  return await transaction(store, async (client) => {
    await insertRun(client, run);
    await client.query('INSERT INTO "ImportedTrace" ("runId") VALUES ($1) ON CONFLICT DO NOTHING', [run.id]);
    const { rows } = await client.query<{ spanCount: number }>(
      'SELECT "spanCount" FROM "ImportedTrace" WHERE "runId" = $1 FOR UPDATE',
      [run.id],
    );
    const room = Math.max(0, mostSpansOfRun - (rows[0]?.spanCount ?? 0));
    const added = { stored: 0, more: 0, isChanged: false };
    for (const { count, json } of spans) {
      const fitting = Math.min(count, room - added.stored);
      const { rows: changed } = await client.query<{ isNew: boolean }>({
        name: 'add-spans',
        text: `INSERT INTO "ImportedSpan" ("runId", "spanId", body)
          SELECT $1, sent.* FROM json_to_recordset($2::json) AS sent("spanId" text, body text) LIMIT $3
          ON CONFLICT ("runId", "spanId") DO UPDATE SET body = EXCLUDED.body
          WHERE "ImportedSpan".body <> EXCLUDED.body
          RETURNING xmax = 0 AS "isNew"`,
        values: [run.id, asParameter(json), fitting],
      });
      added.stored += fitting;
      added.more += changed.filter(({ isNew }) => isNew).length;
      added.isChanged ||= changed.length > 0;
    }
    await client.query(
      `UPDATE "ImportedTrace" SET "spanCount" = "spanCount" + $2, unsettled = unsettled OR $3, "receivedAt" = now()
       WHERE "runId" = $1`,
      [run.id, added.more, added.isChanged],
    );
    return added.stored;
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
 * Reads the spans of a run. Returns `undefined` when the run is settled, has none or was deleted. No transaction is
 * open meanwhile or later, so that a run whose events take long to make holds no connection, and its spans go on arriving.
 */
export async function readUnsettledRun(store: Store, runId: RunId): Promise<UnsettledRun | undefined> {
  // The version is read before the spans. Of spans that arrive between, the events have some, and the run is not settled by them.
  const { rows } = await store.pool.query<{ version: string }>(
    'SELECT xmin::text AS version FROM "ImportedTrace" WHERE "runId" = $1 AND unsettled',
    [runId],
  );
  const version = rows[0]?.version;
  if (version === undefined) return undefined;
  const pages: Uint8Array[] = [];
  let bytes = 0;
  for (let after: string | null = ''; after !== null; ) {
    const page: { readonly last: string | null; readonly spans: string | null } | undefined = (
      await store.pool.query({ name: 'read-unsettled-spans', text: pageOfSpans, values: [runId, after] })
    ).rows[0];
    after = page?.last ?? null;
    if (typeof page?.spans !== 'string') continue;
    const json = Buffer.from(page.spans);
    bytes += json.byteLength;
    if (bytes > mostBytesOfRun) return { version, pages: undefined };
    pages.push(json);
  }
  return pages.length === 0 ? undefined : { version, pages };
}

/** A page ends before it has more than `pageBytes`, but has at least one span. */
const pageOfSpans = `SELECT max("spanId") AS last, '[' || string_agg(body, ',' ORDER BY "spanId") || ']' AS spans FROM (
    SELECT "spanId", body, sum(octet_length(body)) OVER (ORDER BY "spanId") - octet_length(body) AS before FROM (
      SELECT "spanId", body FROM "ImportedSpan" WHERE "runId" = $1 AND "spanId" > $2 ORDER BY "spanId" LIMIT ${pageSpans}
    ) next
  ) page WHERE before < ${pageBytes}`;

/**
 * Stores the events that were made from a version of a run. Returns false if more spans have arrived meanwhile: the run is still
 * unsettled then. Does nothing when the run is settled or was deleted.
 */
export async function settleRun(store: Store, runId: RunId, version: string, run: EncodedRun): Promise<boolean> {
  return await transaction(store, async (client) => {
    const { rows } = await client.query<{ version: string }>(
      'SELECT xmin::text AS version FROM "ImportedTrace" WHERE "runId" = $1 AND unsettled FOR UPDATE',
      [runId],
    );
    const [current] = rows;
    if (current === undefined) return true;
    await replaceEvents(client, runId, run);
    if (current.version !== version) return false;
    await client.query('UPDATE "ImportedTrace" SET unsettled = false WHERE "runId" = $1', [runId]);
    return true;
  });
}

/** Returns a number that grows whenever the events of a run are replaced; `undefined` if there is no such run. */
export async function readRunVersion(store: Store, runId: RunId): Promise<number | undefined> {
  const { rows } = await store.pool.query<{ epoch: number }>('SELECT epoch FROM "Run" WHERE id = $1', [runId]);
  return rows[0]?.epoch;
}

/** Stores a run whose events are all known, in place of an earlier import of the same run. */
export async function putImportedRun(store: Store, row: ImportedRunRow, run: EncodedRun): Promise<void> {
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

async function replaceEvents(client: PoolClient, runId: RunId, run: EncodedRun): Promise<void> {
  await client.query('DELETE FROM "Event" WHERE "runId" = $1', [runId]);
  for (const { json } of run.events) {
    await client.query({
      name: 'insert-imported-events',
      text: `INSERT INTO "Event" ("runId", format, seq, at, kind, path, step, body)
        SELECT $1, ${eventFormat}, event.* FROM json_to_recordset($2::json)
          AS event(seq int, at float8, kind text, path text, step text, body text)`,
      values: [runId, asParameter(json)],
    });
  }
  await followSpans(client, runId);
  await client.query(
    `INSERT INTO "RunTrace" ("runId", format, bytes, "modelUsage") VALUES ($1, $2, $3, $4)
     ON CONFLICT ("runId") DO UPDATE SET format = $2, bytes = $3, "modelUsage" = $4`,
    [runId, traceFormat, asParameter(run.trace), run.modelUsage],
  );
  const { summary } = run;
  await client.query(
    `UPDATE "StoredRun" SET "correlationId" = $2, source = $3, status = $4, "entryAgent" = $5, message = $6, answer = $7,
       error = $8, usage = $9, "createdAt" = to_timestamp($10::float8 / 1000), "startedAt" = to_timestamp($10::float8 / 1000),
       "finishedAt" = to_timestamp($11::float8 / 1000), "lastSeq" = $12, epoch = epoch + 1, summarised = true,
       bytes = $13, "waitedMs" = $14, "costUsd" = $15, tokens = $16, agents = $17, tools = $18, hooks = $19, texts = $20, "peopleMs" = $21,
       models = $22, errors = $23, marks = $24, parts = $25
     WHERE id = $1`,
    [
      ...[
        runId,
        run.correlationId,
        run.source,
        run.status,
        run.entryAgent,
        run.message,
        run.answer,
        run.error,
        run.usage,
      ],
      ...[run.startedAt, run.finishedAt, run.lastSeq, run.eventBytes],
      ...[
        summary.waitedMs,
        summary.costUsd,
        summary.tokens,
        summary.agents,
        summary.tools,
        summary.hooks,
        summary.texts,
        summary.peopleMs,
        summary.models,
        summary.errors,
        run.marks,
        summary.parts,
      ],
    ],
  );
  await client.query(`SELECT pg_notify('${runEventsChannel}', $1)`, [`${runId}:${run.lastSeq}`]);
}

/** The driver sends a Buffer as it is. */
function asParameter({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
