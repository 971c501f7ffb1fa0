import { brandAs, type RunId } from '@/lib/base/ids';
import { UnreadableRecord } from '@/lib/runtime/record/event-format';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import type { RunPart } from '@/lib/trace/run-parts';
import { type RunSummary, RunTexts, summariseRun } from '@/lib/trace/run-summary';
import { slimEvent } from '@/lib/trace/slim-event';
import type { Store } from './database';
import { readEvents } from './events';
import { toPlainJson, toPlainText } from './json-text';
import { searchedText } from './searched-text';

/** A summary as the columns of a run hold it. */
export interface StoredSummary extends Omit<RunSummary, 'agents' | 'tools' | 'hooks' | 'models' | 'parts'> {
  readonly agents: string;
  readonly tools: string;
  readonly hooks: string;
  readonly models: string;
  readonly texts: string;
  /** As JSON: a list of `[kind, name, bucket, calls, failed, tokens, costUsd]`. */
  readonly parts: string;
}

export function toStoredSummary(summary: RunSummary, texts: RunTexts): StoredSummary {
  return {
    ...summary,
    agents: lines(summary.agents),
    tools: lines(summary.tools),
    hooks: lines(summary.hooks),
    models: lines(summary.models),
    parts: partsText(summary.parts),
    texts: searchedText(texts.toText()),
  };
}

/** Names are cut as in the columns of names, so that a filter finds what a figure counts. */
function partsText(parts: readonly RunPart[]): string {
  const rows = parts.map(({ kind, name, bucket, calls, failed, tokens, costUsd }) => [
    ...[kind, nameLine(name), bucket, calls, failed],
    ...[tokens, costUsd],
  ]);
  return toPlainJson(rows);
}

const mostOfName = 200;

/** Writes each name on a line of its own, with a line break at both ends, so that a whole name is found as a part. */
function lines(names: readonly string[]): string {
  return ['', ...names.map(nameLine), ''].join('\n');
}

/** Returns the name as one line of a summary. */
export function nameLine(name: string): string {
  return toPlainText(name)
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, mostOfName);
}

const eventsPerPage = 2_000;

/**
 * Summarises the newest `limit` runs that ended without a summary, or with one of an older version: also those that no worker
 * executed. Returns how many there were.
 */
export async function summariseEndedRuns(store: Store, limit: number): Promise<number> {
  const { rows } = await store.pool.query<{ id: string }>(
    `SELECT id FROM "Run" WHERE parts IS NULL AND "finishedAt" IS NOT NULL ORDER BY "createdAt" DESC LIMIT $1`,
    [limit],
  );
  for (const { id } of rows) await summariseStored(store, brandAs<RunId>(id));
  return rows.length;
}

async function summariseStored(store: Store, id: RunId): Promise<void> {
  const trace = emptyTrace();
  const texts = new RunTexts();
  try {
    for (let after = 0; ; after = trace.lastSeq) {
      const page = await readEvents(store, id, { after, limit: eventsPerPage });
      if (page.length === 0) break;
      for (const event of page) {
        foldEvent(trace, slimEvent(event));
        texts.add(event);
      }
    }
  } catch (error) {
    // The summary then has what could be read.
    if (!(error instanceof UnreadableRecord)) throw error;
  }
  const summary = toStoredSummary(summariseRun(trace), texts);
  const { waitedMs, peopleMs, costUsd, tokens, agents, tools, hooks, texts: text, models, errors, parts } = summary;
  await store.pool.query(
    `UPDATE "Run" SET summarised = true, "waitedMs" = ${queuedMs('"startedAt"')} + $2::float8, "costUsd" = $3, tokens = $4,
       agents = $5, tools = $6, hooks = $7, texts = $8, "peopleMs" = $9, models = $10, errors = $11, parts = $12,
       bytes = (SELECT COALESCE(sum(octet_length(body)), 0) FROM "Event" WHERE "runId" = $1)
     WHERE id = $1 AND parts IS NULL AND "finishedAt" IS NOT NULL`,
    [id, waitedMs, costUsd, tokens, agents, tools, hooks, text, peopleMs, models, errors, parts],
  );
}

/** SQL of the milliseconds that a run was in the queue before `startedAt`, an SQL expression. */
export function queuedMs(startedAt: string): string {
  return `GREATEST(0, COALESCE(EXTRACT(EPOCH FROM ${startedAt} - "createdAt") * 1000, 0))`;
}
