import type { RunId } from '@/lib/base/ids';
import { readEventRecord } from '@/lib/runtime/record/event-format';
import type { RunEvent } from '@/lib/runtime/record/events';
import { eventHolds } from '@/lib/trace/event-texts';
import type { Store } from './database';
import { containsPattern } from './like-pattern';

export interface FoundEvents {
  /** The numbers of the events that hold the text, in order. */
  readonly seqs: readonly number[];
  /** The number after which the search goes on, or `undefined` when the whole run was searched. */
  readonly next: number | undefined;
}

/** The events to search. */
export interface SearchRange {
  /** Those after this number. */
  readonly after: number;
  /** If set, only those of these numbers. */
  readonly among?: readonly number[] | undefined;
}

/** One query looks at this many events, and reads at most so many of those that may match, so that none takes long. */
const eventsAtOnce = 20_000;
const mostRead = 500;
const mostReadBytes = 4 * 1024 * 1024;

/**
 * Searches the arguments, results, messages and other texts of a run for a text, in any case, in the events after `after`. The
 * database compares the stored JSON, and what it finds is parsed, because keys and ids are part of the JSON too. `seen` returns the part of an
 * event that is searched.
 */
export async function searchEvents(
  store: Store,
  runId: RunId,
  text: string,
  { after, among }: SearchRange,
  seen: (event: RunEvent) => RunEvent = (event) => event,
): Promise<FoundEvents> {
  const pattern = containsPattern(JSON.stringify(text).slice(1, -1));
  const { rows } = await store.pool.query<{
    last: number | null;
    seq: number | null;
    format: number;
    body: string | null;
  }>(
    `WITH page AS (
       SELECT seq, format, body FROM "Event"
       WHERE "runId" = $1 AND seq > $2 AND ($7::int[] IS NULL OR seq = ANY($7)) ORDER BY seq LIMIT $4
     ), hits AS (
       SELECT seq, format, body, sum(octet_length(body)) OVER (ORDER BY seq) - octet_length(body) AS before
       FROM (SELECT * FROM page WHERE body ILIKE $3 ORDER BY seq LIMIT $5) matched
     )
     SELECT (SELECT max(seq) FROM page) AS last, hits.seq, hits.format, CASE WHEN before < $6::float8 THEN hits.body END AS body
     FROM (SELECT 1) one LEFT JOIN hits ON true ORDER BY hits.seq`,
    [runId, after, pattern, eventsAtOnce, mostRead, mostReadBytes, among ?? null],
  );
  const last = rows[0]?.last ?? undefined;
  if (last === undefined) return { seqs: [], next: undefined };
  const wanted = text.toLowerCase();
  const seqs: number[] = [];
  let read = 0;
  let reached = after;
  for (const { seq, format, body } of rows) {
    if (seq === null) break;
    if (body === null) return { seqs, next: reached };
    if (eventHolds(seen(readEventRecord(format, body)), wanted)) seqs.push(seq);
    read += 1;
    reached = seq;
  }
  return { seqs, next: read === mostRead ? reached : last };
}
