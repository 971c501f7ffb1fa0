import type { PendingQuestion, PersonAnswer } from '@/lib/base/pending';
import type { RunEvent } from '@/lib/runtime/record/events';
import { runEventsChannel } from './events';
import { toJsonText, toPlainText } from './json-text';
import { insertNoticesSql } from './outbox';
import { pendingKey } from './pending-messages';

/*
 * The rows of questions, as the events of one batch change them. They are written in the statement that stores the events:
 *
 *   person.asked     inserts the row, unless it is there, and the notices of an open one
 *   person.answered  notes that the run knows the end; ends an open row; counts the use of a remembered approval
 *   run.finished     withdraws what is still open
 */

type Ended = Extract<RunEvent, { kind: 'person.answered' }>;

export interface ItemChanges {
  readonly asked: readonly {
    readonly question: PendingQuestion;
    readonly at: number;
    readonly end: Ended | undefined;
  }[];
  /** Ends of questions of earlier batches. */
  readonly ended: readonly Ended[];
  readonly isFinished: boolean;
}

/** Returns `undefined` if the events change no question. */
export function itemChanges(events: readonly RunEvent[]): ItemChanges | undefined {
  const asked: (ItemChanges['asked'][number] & { end: Ended | undefined })[] = [];
  const ended: Ended[] = [];
  let isFinished = false;
  for (const event of events) {
    switch (event.kind) {
      case 'person.asked': {
        const { kind, seq, at, ...question } = event;
        asked.push({ question, at, end: undefined });
        break;
      }
      case 'person.answered': {
        const own = asked.find(({ question }) => question.item === event.item);
        if (own) own.end = event;
        else ended.push(event);
        break;
      }
      case 'run.finished':
        isFinished = true;
    }
  }
  return asked.length + ended.length > 0 || isFinished ? { asked, ended, isFinished } : undefined;
}

/** The parts of a statement that has the run's row as `mine`, with parameters from `$first` on. */
export function itemsSql(first: number): string {
  const param = (index: number, type: string) => `$${first + index}::${type}`;
  return `, asked AS (
    INSERT INTO "PendingItem" (id, "runId", "projectId", stint, kind, path, step, tool, sentence, question, "createdAt", "limitAt",
      "outcomeAtLimit", status, answer, "answeredBy", via, "answeredAt", recorded)
    SELECT row.id, mine.id, mine."projectId", mine.stint, row.kind, row.path, row.step, row.tool, row.sentence, row.question,
      to_timestamp(row.at / 1000), to_timestamp(row.limit_at / 1000), row.outcome_at_limit, row.status, row.answer, row.by, row.via,
      to_timestamp(row.ended_at / 1000), row.status <> 'open'
    FROM mine, unnest(${['id', 'kind', 'path', 'step', 'tool', 'sentence', 'question'].map((_, index) => param(index, 'text[]')).join(', ')},
      ${param(7, 'float8[]')}, ${param(8, 'float8[]')}, ${param(9, 'text[]')}, ${param(10, 'text[]')}, ${param(11, 'text[]')},
      ${param(12, 'text[]')}, ${param(13, 'text[]')}, ${param(14, 'float8[]')})
      row(id, kind, path, step, tool, sentence, question, at, limit_at, outcome_at_limit, status, answer, by, via, ended_at)
    ON CONFLICT DO NOTHING
    RETURNING id, status, "projectId"
  )${insertNoticesSql}, used AS (
    UPDATE "Grant" g SET uses = g.uses + used.times, "lastUsedAt" = now()
    FROM (
      -- Locked in one order, so that runs that use the same approvals do not wait for each other in a circle.
      SELECT kept.id, count(*)::int AS times FROM (
        SELECT id FROM "Grant" WHERE id = ANY(${param(23, 'text[]')}) ORDER BY id FOR NO KEY UPDATE
      ) kept, asked, unnest(${param(22, 'text[]')}, ${param(23, 'text[]')}) row(item, grant_id)
      WHERE row.item = asked.id AND row.grant_id = kept.id GROUP BY kept.id
    ) used
    WHERE g.id = used.id
  ), ended AS (
    UPDATE "PendingItem" item SET recorded = true, "answeredAt" = COALESCE(item."answeredAt", to_timestamp(row.at / 1000)),
      status = CASE WHEN item.status = 'open' THEN row.outcome ELSE item.status END,
      answer = COALESCE(item.answer, row.answer), "answeredBy" = COALESCE(item."answeredBy", row.by), via = COALESCE(item.via, row.via)
    FROM mine, unnest(${param(15, 'text[]')}, ${param(16, 'text[]')}, ${param(17, 'text[]')}, ${param(18, 'text[]')}, ${param(19, 'text[]')},
      ${param(20, 'float8[]')}) row(id, outcome, answer, by, via, at)
    WHERE item.id = row.id AND item."runId" = mine.id
  ), withdrawn AS (
    UPDATE "PendingItem" item SET recorded = true, "answeredAt" = COALESCE(item."answeredAt", now()),
      status = CASE WHEN item.status = 'open' THEN 'withdrawn' ELSE item.status END
    FROM mine
    WHERE ${param(21, 'bool')} AND item."runId" = mine.id AND (item.status = 'open' OR NOT item.recorded)
      AND item.id <> ALL(${param(15, 'text[]')})
    RETURNING item.id
  )`;
}

/** Tells lists of questions, if one has changed. It belongs to a query of `mine`, with the parameters of `itemsSql`. */
export function tellListsSql(first: number): string {
  const isChanged = `cardinality($${first}::text[]) + cardinality($${first + 15}::text[]) > 0 OR EXISTS (SELECT 1 FROM withdrawn)`;
  return `CASE WHEN ${isChanged} THEN pg_notify('${runEventsChannel}', '${pendingKey}:' || "projectId" || ':' || id) END`;
}

/** Returns the parameters of `itemsSql`. */
export function itemValues({ asked, ended, isFinished }: ItemChanges): readonly unknown[] {
  const rows = asked.map(({ question, at, end }) => ({
    question,
    at,
    status: end?.outcome ?? (isFinished ? 'withdrawn' : 'open'),
    answer: end?.answer,
    endedAt: end?.at ?? (isFinished ? at : null),
  }));
  return [
    rows.map(({ question }) => question.item),
    rows.map(({ question }) => question.what),
    rows.map(({ question }) => toPlainText(question.path)),
    rows.map(({ question }) => toPlainText(question.step)),
    rows.map(({ question }) => (question.tool === undefined ? null : toPlainText(question.tool.name))),
    rows.map(({ question }) => toJsonText(question.sentence)),
    rows.map(({ question }) => JSON.stringify(question)),
    rows.map(({ at }) => at),
    rows.map(({ question }) => question.limit?.at ?? null),
    rows.map(({ question }) => question.limit?.outcome ?? null),
    rows.map(({ status }) => status),
    rows.map(({ answer }) => (answer === undefined ? null : JSON.stringify(answer))),
    rows.map(({ answer }) => byOf(answer)),
    rows.map(({ answer }) => answer?.via ?? null),
    rows.map(({ endedAt }) => endedAt),
    ended.map(({ item }) => item),
    ended.map(({ outcome }) => outcome),
    ended.map(({ answer }) => (answer === undefined ? null : JSON.stringify(answer))),
    ended.map(({ answer }) => byOf(answer)),
    ended.map(({ answer }) => answer?.via ?? null),
    ended.map(({ at }) => at),
    isFinished,
    rows.flatMap(({ question, answer }) => (answer?.grant === undefined ? [] : [question.item])),
    rows.flatMap(({ answer }) => answer?.grant ?? []),
  ];
}

function byOf(answer: PersonAnswer | undefined): string | null {
  return answer === undefined ? null : toPlainText(answer.by);
}
