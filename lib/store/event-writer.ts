import type { PoolClient } from 'pg';
import type { Clock } from '@/lib/base/clock';
import { exactJson } from '@/lib/base/exact-json';
import { brandAs, type EpochMs, type RunId } from '@/lib/base/ids';
import { eventFormat } from '@/lib/runtime/record/event-format';
import type { EventSink } from '@/lib/runtime/record/event-sink';
import type { EventBody, FailedServer, ModelDelta, RunEvent } from '@/lib/runtime/record/events';
import { firstLine } from '@/lib/runtime/record/messages';
import { type ItemChanges, itemChanges, itemsSql, itemValues, tellListsSql } from './asked-items';
import type { Store } from './database';
import { runEventsChannel } from './events';
import { toJsonText, toPlainText } from './json-text';
import { isOutage } from './outage';
import { queuedMs, type StoredSummary } from './run-summaries';
import { type Spent, spentIn } from './spent-in';
import { transaction } from './transaction';

export interface EventWriterOptions {
  /** The `seq` of the last stored event. The first appended event gets the next number. */
  readonly startSeq: number;
  /**
   * The time of the last stored event. Later events are never earlier, even if the clock of the machine that wrote it was
   * ahead.
   */
  readonly startAt?: number | undefined;
  /** The run's epoch when this worker took it. */
  readonly epoch: number;
  readonly clock: Clock;
  /**
   * Called once when nothing more can be written: another worker has taken the run, or the database stayed unreachable. The
   * caller aborts the run. Events appended later are dropped.
   */
  readonly onLost: (reason: 'taken_over' | 'unreachable', error: unknown) => void;
  readonly onDelta?: (delta: ModelDelta) => void;
  /** Called with each event once it has its number and time, before it is written. Must not throw. */
  readonly onEvent?: (event: RunEvent) => void;
  /**
   * Returns the summary of the run. It is called for the last event, after `onEvent`, and stored in the same statement. Without
   * it a worker summarises the run later.
   */
  readonly summary?: () => StoredSummary;
  /** The conversation of the run. Its next turn begins in the transaction of the last event. */
  readonly line?: ConversationLine | undefined;
  /** True for a test, whose recording answers: its questions reach nobody. */
  readonly isTest?: boolean | undefined;
  /** How long an event waits at most before its batch is written, so that events that happen together share a statement; 25 ms by default. */
  readonly batchMs?: number;
  /** How long a failed write is retried while the database is unreachable; 60 s by default. */
  readonly patienceMs?: number;
}

/** What the end of a turn does to the line of its conversation. */
export interface ConversationLine {
  /** Locks the conversation until the transaction ends. Called before anything of a run is locked. */
  lock(connection: Connection): Promise<void>;
  /** Queues the turn that waits longest, if no other turn is active. */
  advance(connection: Connection): Promise<void>;
}

type Connection = Pick<PoolClient, 'query'>;

export interface EventWriter extends EventSink {
  /** Appends an event of a time of its own, not after now. Returns it as it is stored. Such events come before all others. */
  appendAt(body: EventBody, at: EpochMs): RunEvent;
  /** Stops the writer. Events appended from now on are dropped. */
  close(): void;
}

const maxBatch = 500;
/** One statement has about this many characters at most. A larger single event gets a statement of its own. */
const maxBatchChars = 4_000_000;

/**
 * The one writer of a run's events.
 *
 *   append ─▶ waiting ──25 ms or 500──▶ one statement: move Run.lastSeq if the epoch is unchanged, insert, notify
 *
 * Batches are written one after another, so `seq` has no gaps and readers never see 5 before 4. When the connection breaks
 * before the response to a batch arrives, the run's lastSeq tells whether the batch was stored; it is never stored twice.
 *
 * The function is longer than 80 lines because its parts share the state of one writer.
 */
export function createEventWriter(store: Store, runId: RunId, options: EventWriterOptions): EventWriter {
  const { clock, epoch } = options;
  const aheadMs = Math.max(0, (options.startAt ?? 0) - clock.now());
  let seq = options.startSeq;
  let waiting: RunEvent[] = [];
  /** When the first event that waits was appended. */
  let waitingSince = 0;
  let pump: Promise<void> | undefined;
  let wake: (() => void) | undefined;
  /** A caller of `flush` waits for the events up to this number, so their batches are written without delay. */
  let hurryTo = 0;
  /** Events up to this number were recorded by another run, which has paid for them. */
  let takenTo = 0;
  let lost = false;

  const appendAt = (body: EventBody, at: EpochMs): RunEvent => {
    seq += 1;
    const event: RunEvent = { seq, at, ...body };
    if (lost) return event;
    if (waiting.length === 0) waitingSince = clock.now();
    waiting.push(event);
    options.onEvent?.(event);
    if (waiting.length >= maxBatch) wake?.();
    pump ??= run();
    return event;
  };

  return {
    append(body: EventBody) {
      if (!lost) appendAt(body, brandAs<EpochMs>(clock.now() + aheadMs));
    },
    appendAt(body, at) {
      takenTo = seq + 1;
      return appendAt(body, at);
    },
    delta: options.onDelta,
    async flush() {
      hurryTo = seq;
      wake?.();
      await pump;
    },
    close() {
      lost = true;
      waiting = [];
    },
  };

  async function run(): Promise<void> {
    while (waiting.length > 0 && !lost) {
      await linger();
      const batch = nextBatch(waiting, takenTo, options);
      waiting = waiting.slice(batch.rows.length);
      await deliver(batch);
    }
    // This runs in the same turn of the event loop as the last check of `waiting`, so no event can be appended in between.
    pump = undefined;
  }

  async function linger(): Promise<void> {
    const [next] = waiting;
    if (next === undefined || next.seq <= hurryTo || waiting.length >= maxBatch) return;
    // While the last batch was written, events have waited already.
    const leftMs = waitingSince + (options.batchMs ?? 25) - clock.now();
    if (leftMs <= 0) return;
    const woken = new AbortController();
    wake = () => woken.abort();
    await clock.sleep(leftMs, woken.signal);
    wake = undefined;
  }

  async function deliver(batch: Batch): Promise<void> {
    const deadline = clock.now() + (options.patienceMs ?? 60_000);
    for (let attempt = 0; ; attempt += 1) {
      try {
        if (await persist(store, runId, options, batch)) return;
        if (attempt > 0 && (await arrived(store, runId, epoch, batch.last))) return;
        return lose('taken_over', undefined);
      } catch (error) {
        if (!isOutage(error) || clock.now() > deadline) return lose('unreachable', error);
        await clock.sleep(Math.min(100 * 2 ** attempt, 1_000));
      }
    }
  }

  function lose(reason: 'taken_over' | 'unreachable', error: unknown): void {
    lost = true;
    waiting = [];
    options.onLost(reason, error);
  }
}

interface Batch {
  readonly rows: readonly Row[];
  readonly first: number;
  readonly last: number;
  readonly bytes: number;
  readonly columns: RunColumns;
  readonly spent: Spent;
  /** How questions to people change. `undefined` if they do not. */
  readonly items: ItemChanges | undefined;
}

interface Row {
  readonly seq: number;
  readonly at: number;
  readonly kind: string;
  readonly path: string | null;
  readonly step: string | null;
  readonly body: string;
}

/** Returns as many of the first events as one statement may carry, but at least one. */
function nextBatch(
  events: readonly RunEvent[],
  takenTo: number,
  { summary, isTest }: Pick<EventWriterOptions, 'summary' | 'isTest'>,
): Batch {
  const rows: Row[] = [];
  let chars = 0;
  let columns: RunColumns = {};
  for (const event of events) {
    const body = exactJson(event);
    if (rows.length > 0 && (rows.length === maxBatch || chars + body.length > maxBatchChars)) break;
    rows.push(toRow(event, body));
    chars += body.length;
    columns = { ...columns, ...columnsOf(event) };
  }
  if (columns.finishedAt !== undefined) columns = { ...columns, summary: summary?.() };
  const batch = events.slice(0, rows.length);
  const [first, last] = [rows[0]?.seq ?? 0, rows.at(-1)?.seq ?? 0];
  const spent = spentIn(batch.filter(({ seq }) => seq > takenTo));
  return {
    rows,
    first,
    last,
    bytes: bytesOf(rows),
    columns,
    spent,
    items: itemChanges(isTest ? batch.filter(isNoQuestion) : batch),
  };
}

function isNoQuestion({ kind }: RunEvent): boolean {
  return kind !== 'person.asked' && kind !== 'person.answered';
}

function bytesOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
}

function toRow(event: RunEvent, body: string): Row {
  return {
    seq: event.seq,
    at: event.at,
    kind: event.kind,
    path: 'path' in event && event.path !== undefined ? toPlainText(event.path) : null,
    step: 'step' in event && event.step !== undefined ? toPlainText(event.step) : null,
    body,
  };
}

/** Columns of the run's row that repeat values of its events. They are written in the same statement, so both always agree. */
interface RunColumns {
  readonly entryAgent?: string;
  readonly scripted?: boolean;
  readonly startedAt?: number;
  readonly finishedAt?: number;
  readonly status?: string;
  readonly answer?: string;
  readonly error?: string;
  readonly usage?: string;
  readonly failedServers?: string;
  readonly summary?: StoredSummary | undefined;
}

function columnsOf(event: RunEvent): RunColumns {
  switch (event.kind) {
    case 'run.started':
      return { entryAgent: toPlainText(event.entryAgent), scripted: event.scripted, startedAt: event.at };
    case 'run.suspended':
      return { status: 'suspended' };
    case 'run.finished':
      return {
        finishedAt: event.at,
        status: event.status,
        answer: event.answer === undefined ? undefined : toJsonText(event.answer),
        error: event.error === undefined ? undefined : JSON.stringify(event.error),
        usage: JSON.stringify(event.usage),
        failedServers: event.failedServers && JSON.stringify(event.failedServers.map(briefly)),
      };
    default:
      return {};
  }
}

/** Keeps only the first line of the message for lists. The event has all of it. */
function briefly({ name, message }: FailedServer): FailedServer {
  return { name: toPlainText(name), message: toPlainText(firstLine(message).slice(0, 1_000)) };
}

/** The statement has this many parameters before those of questions. */
const firstItemValue = 36;

/** Stores a batch, and with the last event lets the next turn of the run's conversation begin. Returns as `insert` does. */
async function persist(
  store: Store,
  runId: RunId,
  { epoch, line }: EventWriterOptions,
  batch: Batch,
): Promise<boolean> {
  if (line === undefined || batch.columns.finishedAt === undefined) {
    return await insert(store.pool, runId, epoch, batch);
  }
  return await transaction(store, async (connection) => {
    await line.lock(connection);
    const isStored = await insert(connection, runId, epoch, batch);
    if (isStored) await line.advance(connection);
    return isStored;
  });
}

/** Stores a batch. Returns false when another worker has taken the run, or when the events are already stored. */
async function insert(connection: Connection, runId: RunId, epoch: number, batch: Batch): Promise<boolean> {
  const { rows, columns, items, spent } = batch;
  const { summary } = columns;
  const result = await connection.query({
    name: items === undefined ? 'append-events' : 'append-events-and-items',
    text: `
      WITH mine AS (
        UPDATE "Run" SET
          "lastSeq" = $3::int,
          "entryAgent" = COALESCE($11, "entryAgent"),
          scripted = COALESCE($12::bool, scripted),
          "startedAt" = COALESCE("startedAt", to_timestamp($13::float8 / 1000)),
          "finishedAt" = COALESCE(to_timestamp($14::float8 / 1000), "finishedAt"),
          status = COALESCE($15, status),
          attempts = CASE WHEN $15 = 'suspended' THEN 0 ELSE attempts END,
          answer = COALESCE($16, answer),
          error = COALESCE($17, error),
          usage = COALESCE($18::jsonb, usage),
          "failedServers" = COALESCE($19::jsonb, "failedServers"),
          bytes = bytes + $20::bigint,
          summarised = summarised OR $21::bool,
          "waitedMs" = ${queuedMs('COALESCE("startedAt", to_timestamp($13::float8 / 1000))')} + $22::float8,
          "costUsd" = $23::float8, tokens = $24::float8, agents = $25, tools = $26, hooks = $27, texts = COALESCE($28, texts), "peopleMs" = $29::float8,
          models = $33, errors = $34::float8, parts = $35::jsonb,
          "spentUsd" = "spentUsd" + ${unlessScripted('$30::float8')},
          "spentTokens" = "spentTokens" + ${unlessScripted('$31::float8')},
          "unpricedCalls" = "unpricedCalls" + ${unlessScripted('$32::int')}
        WHERE id = $1 AND epoch = $2::int AND "lastSeq" = $4::int - 1
        RETURNING id, "projectId", stint
      ), written AS (
        INSERT INTO "Event" ("runId", format, seq, at, kind, path, step, body)
        SELECT mine.id, ${eventFormat}, row.* FROM mine, unnest($5::int[], $6::float8[], $7::text[], $8::text[], $9::text[], $10::text[]) row
      )${items === undefined ? '' : itemsSql(firstItemValue)}
      SELECT pg_notify('${runEventsChannel}', id || ':' || $3::text)${items === undefined ? '' : `, ${tellListsSql(firstItemValue)}`} FROM mine`,
    values: [
      runId,
      epoch,
      batch.last,
      batch.first,
      rows.map((row) => row.seq),
      rows.map((row) => row.at),
      rows.map((row) => row.kind),
      rows.map((row) => row.path),
      rows.map((row) => row.step),
      rows.map((row) => row.body),
      columns.entryAgent,
      columns.scripted,
      columns.startedAt,
      columns.finishedAt,
      columns.status,
      columns.answer,
      columns.error,
      columns.usage,
      columns.failedServers,
      batch.bytes,
      summary !== undefined,
      summary?.waitedMs,
      summary?.costUsd,
      summary?.tokens,
      summary?.agents,
      summary?.tools,
      summary?.hooks,
      summary?.texts,
      summary?.peopleMs,
      spent.usd,
      spent.tokens,
      spent.unpricedCalls,
      summary?.models,
      summary?.errors,
      summary?.parts,
      ...(items === undefined ? [] : itemValues(items)),
    ],
  });
  return result.rowCount === 1;
}

/** A scripted run asks no model, and the replay of a test repeats what was spent before. */
function unlessScripted(amount: string): string {
  return `CASE WHEN COALESCE($12::bool, scripted) OR "fixtureMode" IS NOT DISTINCT FROM 'replay' THEN 0 ELSE ${amount} END`;
}

async function arrived(store: Store, runId: RunId, epoch: number, last: number): Promise<boolean> {
  const found = await store.pool.query('SELECT 1 FROM "Run" WHERE id = $1 AND epoch = $2 AND "lastSeq" = $3', [
    runId,
    epoch,
    last,
  ]);
  return found.rowCount === 1;
}
