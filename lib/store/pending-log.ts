import type { RunId } from '@/lib/base/ids';
import type { PendingQuestion } from '@/lib/base/pending';
import { readEventRecord } from '@/lib/runtime/record/event-format';
import type { RunEvent } from '@/lib/runtime/record/events';
import { callAround } from '@/lib/runtime/record/step-key';
import type { Store } from './database';

/** No more open questions of a run are read than this. */
const mostQuestions = 500;

/**
 * Reads the open questions of a run and the events that say where they belong: the instances above them, with their calls and
 * sessions, and the calls and hooks that ask. In the order of the log.
 */
export async function readPendingLog(store: Store, runId: RunId): Promise<readonly RunEvent[]> {
  const { rows: open } = await store.pool.query<{ question: string }>(
    `SELECT question FROM "PendingItem" WHERE "runId" = $1 AND status = 'open' ORDER BY "createdAt", id LIMIT $2`,
    [runId, mostQuestions],
  );
  if (open.length === 0) return [];
  // The event writer stored them.
  const questions = open.map(({ question }) => JSON.parse(question) as PendingQuestion);
  const queued = await eventsWhere(store, runId, "path = ANY($2) AND kind = 'instance.queued'", [
    ...new Set(questions.flatMap(({ path }) => pathsAbove(path))),
  ]);
  const steps = [
    ...questions.flatMap(({ step }) => [step, callAround(step) ?? step]),
    ...queued.flatMap((event) => (event.kind === 'instance.queued' && event.parentStep ? [event.parentStep] : [])),
  ];
  const kinds = "'{tool.started,session.opened,hook.started,person.asked}'";
  const others = await eventsWhere(store, runId, `step = ANY($2) AND kind = ANY(${kinds})`, [...new Set(steps)]);
  const asked = new Set<string>(questions.map(({ item }) => item));
  const kept = others.filter((event) => event.kind !== 'person.asked' || asked.has(event.item));
  return [...queued, ...kept].sort((a, b) => a.seq - b.seq);
}

async function eventsWhere(store: Store, runId: RunId, which: string, values: readonly string[]): Promise<RunEvent[]> {
  const { rows } = await store.pool.query<{ format: number; body: string }>(
    `SELECT format, body FROM "Event" WHERE "runId" = $1 AND ${which}`,
    [runId, values],
  );
  return rows.map(({ format, body }) => readEventRecord(format, body));
}

/** `a/b[1]/c[2]` → `a`, `a/b[1]`, `a/b[1]/c[2]`. */
function pathsAbove(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
