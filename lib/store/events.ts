import type { InstancePath, RunId, StepKey } from '@/lib/base/ids';
import { currentEventText, eventFormat, readEventRecord } from '@/lib/runtime/record/event-format';
import type { EventOf, RunEvent } from '@/lib/runtime/record/events';
import type { Store } from './database';

/** The Postgres channel that carries `<run id>:<last seq>` after each batch of events. */
export const runEventsChannel = 'run_events';

/** One page of events has at most this many bytes, but at least one event, of any size. */
const pageBytes = 8 * 1024 * 1024;

/**
 * Reads events with `seq` above `after`, in order, at most `limit`. Returns fewer when they are large, and none when there
 * are no more.
 */
export async function readEvents(
  store: Store,
  runId: RunId,
  range: { readonly after: number; readonly limit: number },
): Promise<readonly RunEvent[]> {
  const page = { ...range, maxBytes: pageBytes, maxBodyBytes: Number.MAX_SAFE_INTEGER };
  const events: RunEvent[] = [];
  for (const { body } of await readStoredEvents(store, runId, page))
    if (body !== undefined) events.push(readEventRecord(eventFormat, body));
  return events;
}

/** An event as it is stored. */
export interface StoredEvent {
  readonly seq: number;
  readonly kind: RunEvent['kind'];
  /** The size of its JSON text in UTF-8 bytes. */
  readonly bytes: number;
  /** The format of the stored text; `readEventRecord` converts it. */
  readonly format: number;
  /** The JSON text in the current format. `undefined` when the stored text is larger than `maxBodyBytes`. */
  readonly body: string | undefined;
}

/**
 * Reads events with `seq` above `after`, in order, up to `limit` events or `maxBytes` bytes together. The text of an event
 * larger than `maxBodyBytes` is not read; `readEventText` reads it in parts.
 */
export async function readStoredEvents(
  store: Store,
  runId: RunId,
  page: { readonly after: number; readonly limit: number; readonly maxBytes: number; readonly maxBodyBytes: number },
): Promise<readonly StoredEvent[]> {
  // Postgres knows the length of a text without reading the text.
  const { rows } = await store.pool.query<StoredRow>({
    name: 'read-events',
    text: `
      SELECT seq, kind, bytes, format, CASE WHEN bytes <= $5::float8 THEN body END AS body FROM (
        SELECT seq, kind, body, bytes, format, sum(bytes) OVER (ORDER BY seq) - bytes AS before FROM (
          SELECT seq, kind, body, format, octet_length(body) AS bytes FROM "Event"
          WHERE "runId" = $1 AND seq > $2 ORDER BY seq LIMIT $3
        ) page
      ) sized WHERE before < $4::float8 ORDER BY seq`,
    values: [runId, page.after, page.limit, page.maxBytes, page.maxBodyBytes],
  });
  return rows.map(({ body, ...row }) => ({
    ...row,
    body: body === null ? undefined : currentEventText(row.format, body),
  }));
}

interface StoredRow extends Omit<StoredEvent, 'body'> {
  readonly body: string | null;
}

/**
 * Reads part of the stored JSON text of an event: `length` characters from index `from`, which counts from 0. Returns an
 * empty text beyond the end.
 */
export async function readEventText(
  store: Store,
  runId: RunId,
  seq: number,
  part: { readonly from: number; readonly length: number },
): Promise<string> {
  const { rows } = await store.pool.query<{ text: string }>(
    'SELECT substring(body FROM $3::int + 1 FOR $4::int) AS text FROM "Event" WHERE "runId" = $1 AND seq = $2',
    [runId, seq, part.from, part.length],
  );
  return rows[0]?.text ?? '';
}

/** Reads all events of a run. They are read page by page, so that no response of the database is very large. */
export async function readAllEvents(store: Store, runId: RunId): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for (;;) {
    const page = await readEvents(store, runId, { after: events.length, limit: 5_000 });
    if (page.length === 0) return events;
    for (const event of page) events.push(event);
  }
}

export async function readEvent(store: Store, runId: RunId, seq: number): Promise<RunEvent | undefined> {
  const { rows } = await store.pool.query<{ format: number; body: string }>(
    'SELECT format, body FROM "Event" WHERE "runId" = $1 AND seq = $2',
    [runId, seq],
  );
  const [row] = rows;
  return row === undefined ? undefined : readEventRecord(row.format, row.body);
}

/**
 * Reads how an instance was queued and its first model requests, and the texts at addresses that instructions of the run include.
 */
export async function readRequestEvents(store: Store, runId: RunId, path: InstancePath): Promise<readonly RunEvent[]> {
  const { rows } = await store.pool.query<{ format: number; body: string }>(
    `SELECT format, body FROM "Event"
     WHERE "runId" = $1
       AND ((path = $2 AND kind = ANY('{instance.queued,model.started}')) OR kind = 'url.fetched')
     ORDER BY seq LIMIT 500`,
    [runId, path],
  );
  return rows.map(({ format, body }) => readEventRecord(format, body));
}

/** Reads the agent of an instance, and its input once it has started. */
export async function findInstanceStart(
  store: Store,
  runId: RunId,
  path: string,
): Promise<{ readonly agentName: string; readonly input: string | undefined } | undefined> {
  const { rows } = await store.pool.query<{ format: number; body: string }>(
    `SELECT format, body FROM "Event"
     WHERE "runId" = $1 AND path = $2 AND kind = ANY('{instance.queued,instance.started}') ORDER BY seq LIMIT 2`,
    [runId, path],
  );
  const [queued, started] = rows.map(({ format, body }) => readEventRecord(format, body));
  if (queued?.kind !== 'instance.queued') return undefined;
  return { agentName: queued.agentName, input: started?.kind === 'instance.started' ? started.input : undefined };
}

/** The events of a log in which its root opens a conversation come first, but for those of workers that died. */
const openedWithin = 20;

/** Finds the event with which the root of a run opened its conversation. */
export async function findOpenedConversation(
  store: Store,
  runId: RunId,
): Promise<EventOf<'session.opened'> | undefined> {
  const { rows } = await store.pool.query<{ format: number; body: string }>(
    `SELECT format, body FROM "Event" WHERE "runId" = $1 AND seq <= $2 AND kind = 'session.opened' ORDER BY seq`,
    [runId, openedWithin],
  );
  for (const { format, body } of rows) {
    const event = readEventRecord(format, body);
    if (event.kind === 'session.opened' && event.mode === 'conversation') return event;
  }
  return undefined;
}

/** Reads a tool call by the number of its first event: its start, what its tool returned, and its end. */
export async function readCallEvents(store: Store, runId: RunId, seq: number): Promise<readonly RunEvent[]> {
  const { rows } = await store.pool.query<{ format: number; body: string }>(
    `SELECT e.format, e.body FROM "Event" e JOIN "Event" s ON s."runId" = e."runId" AND s.seq = $2
     WHERE e."runId" = $1 AND e.seq >= $2 AND e.step = s.step AND e.path = s.path
       AND e.kind = ANY('{tool.started,tool.returned,tool.ended}')
     ORDER BY e.seq LIMIT 3`,
    [runId, seq],
  );
  return rows.map(({ format, body }) => readEventRecord(format, body));
}

/**
 * Reads what a model call of an instance may have been asked: the input of the instance, its calls up to this one with their
 * results, and the end of this one. Returns `too_large` if these events have more than `mostBytes` together.
 */
export async function readCallContext(
  store: Store,
  runId: RunId,
  call: { readonly seq: number; readonly path: InstancePath; readonly step: StepKey },
  mostBytes: number,
): Promise<readonly RunEvent[] | 'too_large'> {
  const which = `"runId" = $1 AND path = $2 AND (seq < $3 OR step = $4)
     AND kind = ANY('{instance.started,model.started,model.ended,tool.ended}')`;
  return await readWithin(store, which, [runId, call.path, call.seq, call.step], mostBytes);
}

/** Reads events by their steps and the starts of instances by their paths, those before `before`. `too_large` as above. */
export async function readNamedEvents(
  store: Store,
  runId: RunId,
  named: { readonly steps: readonly StepKey[]; readonly paths: readonly InstancePath[] },
  before: number,
  mostBytes: number,
): Promise<readonly RunEvent[] | 'too_large'> {
  const which = `"runId" = $1 AND seq < $4
     AND ((step = ANY($2::text[]) AND kind = ANY('{model.started,model.ended,tool.ended}'))
       OR (path = ANY($3::text[]) AND kind = 'instance.started'))`;
  return await readWithin(store, which, [runId, named.steps, named.paths, before], mostBytes);
}

/** Reads the events of a condition in order, unless they are too large together. Postgres measures them without reading them. */
async function readWithin(
  store: Store,
  which: string,
  values: readonly unknown[],
  mostBytes: number,
): Promise<readonly RunEvent[] | 'too_large'> {
  const { rows: sizes } = await store.pool.query<{ bytes: number }>(
    `SELECT COALESCE(sum(octet_length(body)), 0)::float8 AS bytes FROM "Event" WHERE ${which}`,
    [...values],
  );
  if ((sizes[0]?.bytes ?? 0) > mostBytes) return 'too_large';
  const { rows } = await store.pool.query<{ format: number; body: string }>(
    `SELECT format, body FROM "Event" WHERE ${which} ORDER BY seq`,
    [...values],
  );
  return rows.map(({ format, body }) => readEventRecord(format, body));
}

/** Returns the size of the events with these numbers together, in UTF-8 bytes. */
export async function sizeOfEvents(store: Store, runId: RunId, seqs: readonly number[]): Promise<number> {
  const { rows } = await store.pool.query<{ bytes: number }>(
    'SELECT COALESCE(sum(octet_length(body)), 0)::float8 AS bytes FROM "Event" WHERE "runId" = $1 AND seq = ANY($2::int[])',
    [runId, seqs],
  );
  return rows[0]?.bytes ?? 0;
}

/**
 * Maps the events with these numbers, and returns the results by number. Numbers that the run does not have are left out.
 * Only one page of events is in memory at a time.
 */
export async function mapEventsBySeq<T>(
  store: Store,
  runId: RunId,
  seqs: readonly number[],
  map: (event: RunEvent) => T,
): Promise<ReadonlyMap<number, T>> {
  const mapped = new Map<number, T>();
  let left = [...new Set(seqs)].sort((a, b) => a - b);
  while (left.length > 0) {
    const { rows } = await store.pool.query<{ seq: number; format: number; body: string }>(
      `SELECT seq, format, body FROM (
         SELECT seq, format, body, sum(octet_length(body)) OVER (ORDER BY seq) - octet_length(body) AS before
         FROM "Event" WHERE "runId" = $1 AND seq = ANY($2::int[])
       ) sized WHERE before < $3::float8 ORDER BY seq`,
      [runId, left, pageBytes],
    );
    for (const { seq, format, body } of rows) mapped.set(seq, map(readEventRecord(format, body)));
    const last = rows.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
    left = left.filter((seq) => seq > last);
  }
  return mapped;
}
