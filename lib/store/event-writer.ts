import type { Clock } from '@/lib/base/clock';
import { brandAs, type EpochMs, type RunId } from '@/lib/base/ids';
import { eventFormat } from '@/lib/runtime/record/event-format';
import type { EventSink } from '@/lib/runtime/record/event-sink';
import type { EventBody, FailedServer, ModelDelta, RunEvent } from '@/lib/runtime/record/events';
import { firstLine } from '@/lib/runtime/record/messages';
import type { Store } from './database';
import { runEventsChannel } from './events';
import { toJsonText, toPlainText } from './json-text';
import { isOutage } from './outage';

export interface EventWriterOptions {
  /** Seq of the last event that is stored already; the first appended gets the next. */
  readonly startSeq: number;
  /** Time of that event: those that follow are no earlier, also where another machine's clock was ahead of ours. */
  readonly startAt?: number | undefined;
  /** The run's epoch when this worker took it. */
  readonly epoch: number;
  readonly clock: Clock;
  /**
   * Called once when nothing more can be written: another worker took the run over, or the database stayed away. The
   * caller aborts the run; what is appended after is dropped.
   */
  readonly onLost: (reason: 'taken_over' | 'unreachable', error: unknown) => void;
  readonly onDelta?: (delta: ModelDelta) => void;
  /** Called with each event as it is stamped, before it is written. Must not throw. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Wait before a batch is written, so that what happens together is written together. Default 25 ms. */
  readonly batchMs?: number;
  /** How long a database that went away is waited for. Default 60 s. */
  readonly patienceMs?: number;
}

export interface EventWriter extends EventSink {
  /** What is appended from now on is dropped. */
  close(): void;
}

const maxBatch = 500;
/** About this many characters go into one statement; a larger single event goes alone. */
const maxBatchChars = 4_000_000;

/**
 * The one writer of a run's events.
 *
 *   append ─▶ waiting ──25 ms or 500──▶ one statement: move Run.lastSeq if the epoch is still ours, insert, notify
 *
 * One batch is on its way at a time, so `seq` has no gaps and readers never see 5 before 4. A batch whose answer was lost
 * with the connection is not sent twice: the run's lastSeq tells whether it arrived.
 */
export function createEventWriter(store: Store, runId: RunId, options: EventWriterOptions): EventWriter {
  const { clock, epoch } = options;
  const aheadMs = Math.max(0, (options.startAt ?? 0) - clock.now());
  let seq = options.startSeq;
  let waiting: RunEvent[] = [];
  let pump: Promise<void> | undefined;
  let wake: (() => void) | undefined;
  /** Up to this seq somebody waits for durability, so batches leave at once. */
  let hurryTo = 0;
  let lost = false;

  return {
    append(body: EventBody) {
      if (lost) return;
      seq += 1;
      const event: RunEvent = { seq, at: brandAs<EpochMs>(clock.now() + aheadMs), ...body };
      waiting.push(event);
      options.onEvent?.(event);
      if (waiting.length >= maxBatch) wake?.();
      pump ??= run();
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
      await deliver(takeBatch());
    }
    // In the same turn as the last look at `waiting`: nothing can be appended in between and stay behind.
    pump = undefined;
  }

  async function linger(): Promise<void> {
    const [next] = waiting;
    if (next === undefined || next.seq <= hurryTo || waiting.length >= maxBatch) return;
    const woken = new AbortController();
    wake = () => woken.abort();
    await clock.sleep(options.batchMs ?? 25, woken.signal);
    wake = undefined;
  }

  function takeBatch(): Batch {
    const rows: Row[] = [];
    let chars = 0;
    let columns: RunColumns = {};
    for (const event of waiting) {
      const body = JSON.stringify(event);
      if (rows.length > 0 && (rows.length === maxBatch || chars + body.length > maxBatchChars)) break;
      rows.push(toRow(event, body));
      chars += body.length;
      columns = { ...columns, ...columnsOf(event) };
    }
    waiting = waiting.slice(rows.length);
    return { rows, first: rows[0]?.seq ?? 0, last: rows.at(-1)?.seq ?? 0, columns };
  }

  async function deliver(batch: Batch): Promise<void> {
    const deadline = clock.now() + (options.patienceMs ?? 60_000);
    for (let attempt = 0; ; attempt += 1) {
      try {
        if (await insert(store, runId, epoch, batch)) return;
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
  readonly columns: RunColumns;
}

interface Row {
  readonly seq: number;
  readonly at: number;
  readonly kind: string;
  readonly path: string | null;
  readonly step: string | null;
  readonly body: string;
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

/** What the run's own row repeats of its events, written with them so that the two never disagree. */
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
}

function columnsOf(event: RunEvent): RunColumns {
  switch (event.kind) {
    case 'run.started':
      return { entryAgent: toPlainText(event.entryAgent), scripted: event.scripted, startedAt: event.at };
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

/** A list shows the line that names the cause; the event has the rest. */
function briefly({ name, message }: FailedServer): FailedServer {
  return { name: toPlainText(name), message: toPlainText(firstLine(message).slice(0, 1_000)) };
}

/** False when the run is not ours any more, or already has these events. */
async function insert(store: Store, runId: RunId, epoch: number, batch: Batch): Promise<boolean> {
  const { rows, columns } = batch;
  const result = await store.pool.query({
    name: 'append-events',
    text: `
      WITH mine AS (
        UPDATE "Run" SET
          "lastSeq" = $3::int,
          "entryAgent" = COALESCE($11, "entryAgent"),
          scripted = COALESCE($12::bool, scripted),
          "startedAt" = COALESCE("startedAt", to_timestamp($13::float8 / 1000)),
          "finishedAt" = COALESCE(to_timestamp($14::float8 / 1000), "finishedAt"),
          status = COALESCE($15, status),
          answer = COALESCE($16, answer),
          error = COALESCE($17, error),
          usage = COALESCE($18::jsonb, usage),
          "failedServers" = COALESCE($19::jsonb, "failedServers")
        WHERE id = $1 AND epoch = $2::int AND "lastSeq" = $4::int - 1
        RETURNING id
      ), written AS (
        INSERT INTO "Event" ("runId", format, seq, at, kind, path, step, body)
        SELECT mine.id, ${eventFormat}, row.* FROM mine, unnest($5::int[], $6::float8[], $7::text[], $8::text[], $9::text[], $10::text[]) row
      )
      SELECT pg_notify('${runEventsChannel}', id || ':' || $3::text) FROM mine`,
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
    ],
  });
  return result.rowCount === 1;
}

async function arrived(store: Store, runId: RunId, epoch: number, last: number): Promise<boolean> {
  const found = await store.pool.query('SELECT 1 FROM "Run" WHERE id = $1 AND epoch = $2 AND "lastSeq" = $3', [
    runId,
    epoch,
    last,
  ]);
  return found.rowCount === 1;
}
