import { randomUUID } from 'node:crypto';
import { brandAs, type CorrelationId, type ProjectId, type RunId } from '@/lib/base/ids';
import { systemClock } from '@/lib/jobs/system-clock';
import { eventFormat } from '@/lib/runtime/record/event-format';
import type { RunEvent } from '@/lib/runtime/record/events';
import type { Store } from '@/lib/store/database';
import { createEventWriter, type EventWriter } from '@/lib/store/event-writer';
import { findProject } from '@/lib/store/projects';
import { saveRunTrace } from '@/lib/store/run-traces';
import { insertRunsSql, runValues } from '@/lib/store/runs';
import { takeRun } from '@/lib/store/take-run';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import { slimEvent } from '@/lib/trace/slim-event';

export interface StoredRun {
  readonly id: string;
  readonly spans: number;
  readonly events: number;
}

const batch = 4_000;

/** Stores a generated run as a worker would leave it: its row, its events and its trace. */
export async function storeRun(store: Store, project: string, events: Iterable<RunEvent>): Promise<StoredRun> {
  const id = await insertRun(store, project);
  const trace = emptyTrace();
  let rows: RunEvent[] = [];
  for (const event of events) {
    foldEvent(trace, slimEvent(event));
    rows.push(event);
    if (rows.length === batch) {
      await insertEvents(store, id, rows);
      rows = [];
    }
  }
  await insertEvents(store, id, rows);
  await saveRunTrace(store, id, trace);
  await store.pool.query(
    `UPDATE "Run" SET status = 'completed', "entryAgent" = 'lead', "lastSeq" = $2, "startedAt" = now(), "finishedAt" = now(),
       answer = '"Done."', usage = $3 WHERE id = $1`,
    [id, trace.lastSeq, JSON.stringify(trace.run.usage)],
  );
  return { id, spans: trace.spans.length, events: trace.lastSeq };
}

/** Stores a run that is going on, and returns the writer that a worker would have. */
export async function openLiveRun(
  store: Store,
  project: string,
  onEvent: (event: RunEvent) => void,
): Promise<{ id: string; writer: EventWriter }> {
  const id = await insertRun(store, project);
  const taken = await takeRun(store, id, 'bench');
  if (taken === undefined) throw new Error('The run cannot be taken');
  const onLost = () => console.log('  the writer lost its run');
  const writer = createEventWriter(store, id, { startSeq: 0, epoch: taken.epoch, clock: systemClock, onLost, onEvent });
  return { id, writer };
}

async function insertRun(store: Store, project: string): Promise<RunId> {
  const { treeHash } = await findProject(store, brandAs<ProjectId>(project));
  const id = brandAs<RunId>(randomUUID());
  const correlationId = brandAs<CorrelationId>(randomUUID());
  const run = { id, projectId: brandAs<ProjectId>(project), treeHash, correlationId, agent: undefined, message: 'Go' };
  await store.pool.query(insertRunsSql, [...runValues([{ ...run, model: undefined }])]);
  return id;
}

async function insertEvents(store: Store, id: RunId, events: readonly RunEvent[]): Promise<void> {
  if (events.length === 0) return;
  await store.pool.query(
    `INSERT INTO "Event" ("runId", format, seq, at, kind, path, step, body)
     SELECT $1, ${eventFormat}, row.* FROM unnest($2::int[], $3::float8[], $4::text[], $5::text[], $6::text[], $7::text[]) row`,
    [
      id,
      events.map(({ seq }) => seq),
      events.map(({ at }) => at),
      events.map(({ kind }) => kind),
      events.map((event) => ('path' in event ? (event.path ?? null) : null)),
      events.map((event) => ('step' in event ? (event.step ?? null) : null)),
      events.map((event) => JSON.stringify(event)),
    ],
  );
}
