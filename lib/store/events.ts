import type { RunId } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/events';
import type { Store } from './database';

/** Postgres channel that carries `<run id>:<last seq>` after each batch of events. */
export const runEventsChannel = 'run_events';

/** Events with `seq` over `after`, in order, at most `limit`. */
export async function readEvents(
  store: Store,
  runId: RunId,
  range: { readonly after: number; readonly limit: number },
): Promise<readonly RunEvent[]> {
  const { rows } = await store.pool.query<{ body: string }>({
    name: 'read-events',
    text: 'SELECT body FROM "Event" WHERE "runId" = $1 AND seq > $2 ORDER BY seq LIMIT $3',
    values: [runId, range.after, range.limit],
  });
  return rows.map((row) => parseEvent(row.body));
}

/** Every event from the first; pages so that a long run is not one answer of the database. */
export async function readAllEvents(store: Store, runId: RunId): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for (;;) {
    const page = await readEvents(store, runId, { after: events.length, limit: 5_000 });
    events.push(...page);
    if (page.length < 5_000) return events;
  }
}

export async function readEvent(store: Store, runId: RunId, seq: number): Promise<RunEvent | undefined> {
  const { rows } = await store.pool.query<{ body: string }>(
    'SELECT body FROM "Event" WHERE "runId" = $1 AND seq = $2',
    [runId, seq],
  );
  const [row] = rows;
  return row === undefined ? undefined : parseEvent(row.body);
}

/** The events with these numbers, by number; one the run does not have is left out. */
export async function readEventsBySeq(
  store: Store,
  runId: RunId,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, RunEvent>> {
  const { rows } = await store.pool.query<{ seq: number; body: string }>(
    'SELECT seq, body FROM "Event" WHERE "runId" = $1 AND seq = ANY($2::int[])',
    [runId, seqs],
  );
  return new Map(rows.map((row) => [row.seq, parseEvent(row.body)]));
}

/** Only the event writer writes these, from this very type. */
function parseEvent(body: string): RunEvent {
  const event: RunEvent = JSON.parse(body);
  return event;
}
