import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { z } from 'zod';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { RunId } from '@/lib/base/ids';
import { type GivenScore, mostScoresOfRun, type NewScore, type Score } from '@/lib/base/score';
import type { Store } from './database';
import { toPlainText } from './json-text';
import { noRun, noScore } from './not-found';
import { nameOf } from './reviews';
import { transaction } from './transaction';

/*
 * Scores of runs. The row of a score names its span by the event that opened it; 0 is the whole run. Each write also makes the means of
 * the run again, one for its name and one for all names, because filters and lists read those:
 *
 *   Score      (run r, span 0, quality, ann, 1)  (run r, span 0, quality, bo, 0)  (run r, span 7, quality, ann, 0)
 *   ScoreMean  (run r, 'quality', 0.5)  (run r, '', 0.5)
 */

const columns = `id, span, "spanKind", "spanPath", name, value, note, author, "authorName",
  (extract(epoch FROM "createdAt") * 1000)::float8 AS "createdAt", (extract(epoch FROM "updatedAt") * 1000)::float8 AS "updatedAt"`;

const row = z
  .object({
    id: z.string(),
    span: z.number().nullable(),
    spanKind: z.string().nullable(),
    spanPath: z.string().nullable(),
    name: z.string(),
    value: z.number().nullable(),
    note: z.string().nullable(),
    author: z.string(),
    authorName: z.string(),
    createdAt: z.number(),
    updatedAt: z.number(),
  })
  .transform(({ span, spanKind, spanPath, ...score }): Score => {
    // The kind of a span is the first word of the event that opens it.
    const kind = spanKind?.split('.', 1)[0] ?? 'span';
    return { ...score, span: span === 0 ? null : { seq: span, kind, path: spanPath } };
  });

/** Lists the scores of a run and its spans, oldest first, and by name where one trace gave several at once. */
export async function findScores(store: Store, run: RunId): Promise<readonly Score[]> {
  const { rows } = await store.pool.query(
    `SELECT ${columns} FROM "Score" WHERE "runId" = $1 ORDER BY "createdAt", name, id`,
    [run],
  );
  return z.array(row).parse(rows);
}

/**
 * Stores what an author says of a run or a span, in place of what the author said of it under this name before. Throws AppError
 * `not_found` for a run or a span that is not there, and `too_many`.
 */
export async function saveScore(store: Store, run: RunId, score: NewScore, actor: Actor): Promise<Score> {
  return await changing(store, run, async (client) => {
    const saved = await putScore(client, run, score, actor);
    await countAgain(client, run, score.name);
    return saved;
  });
}

/**
 * Stores the scores that programs gave with the trace of an imported run, also of one in the bin. Each is stored once, so that one that
 * somebody deleted stays away. Leaves out those of spans that are not there, and, once the run has `mostScoresOfRun`, all others. Does
 * nothing for a run that was deleted.
 */
export async function saveGivenScores(store: Store, run: RunId, given: readonly GivenScore[]): Promise<void> {
  if (given.length === 0) return;
  await transaction(store, async (client) => {
    await lockScores(client, run);
    const { rows } = await client.query<{ scored: readonly string[] }>(
      `SELECT trace.scored FROM "ImportedTrace" trace JOIN "StoredRun" run ON run.id = trace."runId"
       WHERE run.id = $1 FOR KEY SHARE OF run`,
      [run],
    );
    if (rows[0] === undefined) return;
    const known = new Set(rows[0].scored);
    const saved: GivenScore[] = [];
    for (const one of given) {
      if (known.has(one.id)) continue;
      try {
        await putScore(client, run, one.score, { by: toPlainText(one.author), via: 'api', reach: 'all' });
        saved.push(one);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'too_many') break;
      }
    }
    if (saved.length === 0) return;
    for (const name of new Set(saved.map(({ score }) => score.name))) await countAgain(client, run, name);
    await client.query('UPDATE "ImportedTrace" SET scored = scored || $2::text[] WHERE "runId" = $1', [
      run,
      saved.map(({ id }) => id),
    ]);
  });
}

/** Stores a score without its means. Throws as `saveScore` does, before it has written anything. */
async function putScore(client: PoolClient, run: RunId, score: NewScore, actor: Actor): Promise<Score> {
  const { span = 0, name, value, note } = score;
  const opened = span === 0 ? undefined : await findOpening(client, run, span);
  const said = [run, span, name, actor.by, value, note === null ? null : toPlainText(note), nameOf(actor)];
  const { rows } = await client.query(
    `UPDATE "Score" SET value = $5, note = $6, "authorName" = $7, "updatedAt" = now()
     WHERE "runId" = $1 AND span = $2 AND name = $3 AND author = $4 RETURNING ${columns}`,
    said,
  );
  if (rows.length === 0) {
    const made = await client.query(
      `INSERT INTO "Score" ("runId", span, name, author, value, note, "authorName", id, "spanKind", "spanPath", "spanStep", "spanAt")
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
       WHERE (SELECT count(*) FROM "Score" WHERE "runId" = $1) < ${mostScoresOfRun} RETURNING ${columns}`,
      [...said, randomUUID(), opened?.kind ?? null, opened?.path ?? null, opened?.step ?? null, opened?.at ?? null],
    );
    rows.push(...made.rows);
  }
  if (rows.length === 0) throw new AppError('too_many', `A run has at most ${mostScoresOfRun} scores.`);
  return row.parse(rows[0]);
}

/**
 * Deletes a score. Throws AppError `not_found`, and `not_allowed` for that of somebody else unless `anybodys` is set.
 */
export async function deleteScore(
  store: Store,
  run: RunId,
  id: string,
  actor: Actor,
  anybodys: boolean,
): Promise<void> {
  await changing(store, run, async (client) => {
    const { rows } = await client.query<{ author: string; name: string }>(
      'SELECT author, name FROM "Score" WHERE "runId" = $1 AND id = $2',
      [run, id],
    );
    const [found] = rows;
    if (found === undefined) throw noScore();
    if (found.author !== actor.by && !anybodys) {
      throw new AppError('not_allowed', 'Only its author or an admin of the project deletes a score.');
    }
    await client.query('DELETE FROM "Score" WHERE id = $1', [id]);
    await countAgain(client, run, found.name);
  });
}

/** Does the work while nobody else changes scores of the run. Throws AppError `not_found`. */
async function changing<T>(store: Store, run: RunId, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return await transaction(store, async (client) => {
    await lockScores(client, run);
    const { rowCount } = await client.query('SELECT 1 FROM "Run" WHERE id = $1 FOR KEY SHARE', [run]);
    if (rowCount === 0) throw noRun();
    return await work(client);
  });
}

/** Two authors at once must not both count without the other. A row lock of the run would wait for its worker. */
async function lockScores(client: PoolClient, run: RunId): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 7203015))', [`scores of ${run}`]);
}

/** Makes the means of a name and of all names again. They are rounded, so that the mean of equal values is that value. */
async function countAgain(client: PoolClient, run: RunId, name: string): Promise<void> {
  await client.query(`DELETE FROM "ScoreMean" WHERE "runId" = $1 AND name IN ($2, '')`, [run, name]);
  await client.query(
    `INSERT INTO "ScoreMean" ("runId", name, mean, count)
     SELECT $1, each.name, round(avg(s.value)::numeric, 9), count(*)
     FROM (VALUES ($2::text), ('')) each(name)
     JOIN "Score" s ON s."runId" = $1 AND s.span = 0 AND s.value IS NOT NULL AND (s.name = each.name OR each.name = '')
     GROUP BY each.name`,
    [run, name],
  );
}

interface Opening {
  readonly kind: string;
  readonly path: string | null;
  readonly step: string | null;
  readonly at: number;
}

const openings = [
  ...['instance.queued', 'instance.started', 'setup.started', 'model.started', 'tool.started', 'hook.started'],
  ...['workflow.decided', 'person.asked'],
];

/** Finds the event that opened a span. Throws AppError `not_found`. */
async function findOpening(client: PoolClient, run: RunId, seq: number): Promise<Opening> {
  const { rows } = await client.query<Opening>(
    'SELECT kind, path, step, at FROM "Event" WHERE "runId" = $1 AND seq = $2 AND kind = ANY($3)',
    [run, seq, openings],
  );
  const [opening] = rows;
  if (opening === undefined) throw new AppError('not_found', `Event ${seq} of the run opens no span.`);
  return opening;
}

/**
 * Lets scores follow their spans after the events of an imported run were replaced. Its event has the same kind and time, and the same
 * step; or another step, where it is the only one of its instance at that time. A span that is gone keeps its scores, which then name no
 * event.
 */
export async function followSpans(client: PoolClient, run: RunId): Promise<void> {
  const { rowCount } = await client.query(
    'SELECT 1 FROM "Score" WHERE "runId" = $1 AND span IS DISTINCT FROM 0 LIMIT 1',
    [run],
  );
  if (rowCount === 0) return;
  await client.query(
    `WITH scored AS MATERIALIZED (
       SELECT id, "spanKind" AS kind, "spanAt" AS at, "spanStep" AS step, "spanPath" AS path FROM "Score"
       WHERE "runId" = $1 AND span IS DISTINCT FROM 0
     ), event AS MATERIALIZED (
       SELECT seq, kind, at, step, path, count(*) OVER (PARTITION BY kind, at, path) AS besides FROM "Event"
       WHERE "runId" = $1 AND at = ANY(ARRAY(SELECT at FROM scored)) AND kind = ANY($2)
     ), found AS (
       SELECT scored.id, event.seq, event.step FROM scored LEFT JOIN LATERAL (
         SELECT seq, step FROM event
         WHERE event.kind = scored.kind AND event.at = scored.at AND (event.step = scored.step OR (
           event.besides = 1 AND event.path IS NOT DISTINCT FROM scored.path AND NOT EXISTS (
             SELECT 1 FROM scored other WHERE other.kind = scored.kind AND other.at = scored.at
               AND other.path IS NOT DISTINCT FROM scored.path AND other.step IS DISTINCT FROM scored.step)))
         ORDER BY event.step = scored.step DESC NULLS LAST, seq LIMIT 1
       ) event ON true
     )
     UPDATE "Score" s SET span = found.seq, "spanStep" = COALESCE(found.step, s."spanStep") FROM found WHERE found.id = s.id`,
    [run, openings],
  );
}
