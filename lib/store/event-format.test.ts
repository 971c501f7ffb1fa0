import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RunId } from '@/lib/base/ids';
import { systemClock } from '@/lib/jobs/system-clock';
import { eventFormat, readEventRecord, UnreadableRecord } from '@/lib/runtime/record/event-format';
import { testDatabase } from '@/lib/testing/postgres';
import { finished, storedRun, taken } from '@/lib/testing/stored-run';
import { createEventWriter } from './event-writer';
import { mapEventsBySeq, readAllEvents, readEvent, readStoredEvents } from './events';

const { store } = await testDatabase();
const log = new URL('../runtime/record/kept/events-format-1.ndjson', import.meta.url);
const lines = readFileSync(log, 'utf8').trim().split('\n');
const page = { after: 0, limit: 1_000, maxBytes: 1e9 };

test('rows of a former format are read in the present one, beside rows that are of it', async () => {
  const run = await storedRun(store);
  await insert(run, 1, lines.slice(0, -1));
  const { epoch, lastSeq } = await taken(store, run, 'a');
  const lost: unknown[] = [];
  const onLost = (reason: unknown) => lost.push(reason);
  const writer = createEventWriter(store, run, { startSeq: lastSeq, epoch, clock: systemClock, onLost });
  writer.append(finished);
  await writer.flush();
  expect(lost).toEqual([]);

  const upgraded = lines.slice(0, -1).map((line) => readEventRecord(1, line));
  const all = await readAllEvents(store, run);
  expect(all.slice(0, -1)).toEqual(upgraded);
  expect(all.at(-1)).toMatchObject({ ...finished, seq: lines.length });

  const stored = await readStoredEvents(store, run, { ...page, maxBodyBytes: 1e9 });
  expect(stored.map(({ body = '' }) => JSON.parse(body))).toEqual(all);
  expect(stored.map(({ format }) => format)).toEqual([...upgraded.map(() => 1), eventFormat]);

  const changed = upgraded.find((event) => event.kind === 'hook.ended' && event.changes.length > 0);
  expect(changed).toMatchObject({ changes: [{ what: 'conversation' }] });
  const seq = changed?.seq ?? 0;
  expect(await readEvent(store, run, seq)).toEqual(changed);
  expect((await mapEventsBySeq(store, run, [seq], (event) => event)).get(seq)).toEqual(changed);
});

test('rows of a newer format are refused, and stay as they are', async () => {
  const run = await storedRun(store);
  await insert(run, eventFormat + 1, ['{"seq":1,"at":1,"kind":"run.dreamt"}']);
  await expect(readAllEvents(store, run)).rejects.toThrow(UnreadableRecord);
  await expect(readEvent(store, run, 1)).rejects.toThrow(/written by a newer Callboard/);
  await expect(readStoredEvents(store, run, { ...page, maxBodyBytes: 1e9 })).rejects.toThrow(UnreadableRecord);
});

async function insert(run: RunId, format: number, bodies: readonly string[]): Promise<void> {
  const rows = bodies.map((body): { seq: number; at: number; kind: string } => JSON.parse(body));
  await store.pool.query(
    `INSERT INTO "Event" ("runId", format, seq, at, kind, body)
     SELECT $1, $2, row.* FROM unnest($3::int[], $4::float8[], $5::text[], $6::text[]) row`,
    [run, format, rows.map(({ seq }) => seq), rows.map(({ at }) => at), rows.map(({ kind }) => kind), bodies],
  );
  await store.pool.query('UPDATE "Run" SET "lastSeq" = $2 WHERE id = $1', [run, bodies.length]);
}
