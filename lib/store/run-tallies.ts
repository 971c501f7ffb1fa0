import type { ProjectId } from '@/lib/base/ids';
import type { ProjectScope } from '@/lib/base/rights';
import type { DashboardGroup, TallyRow } from '@/lib/trace/dashboard';
import type { Store } from './database';
import { idsOf } from './scope';
import { transaction } from './transaction';

/*
 * Figures of many runs. A trigger adds rows to "RunTally" when a run gets its summary, and takes them off when the run goes, changes, or
 * goes to the bin (migration `run_tallies`). A dashboard sums rows of hours and days and never reads runs:
 *
 *   run ends ──trigger──▶ rows of its hour ──foldTallies──▶ one row of each key and hour ──after 8 days──▶ of each key and day
 */

/** Which runs are counted. Times are epoch milliseconds, at whole hours; those of more than 8 days ago at whole days in UTC. */
export interface TallyFilter {
  readonly scope: ProjectScope;
  readonly project: ProjectId | undefined;
  readonly from: number;
  readonly to: number;
}

const sums = `sum(calls)::int AS calls, sum(failed)::int AS failed, sum(tokens) AS tokens, sum("costUsd") AS "costUsd",
  sum("peopleMs") AS "peopleMs"`;
const counted = `at >= to_timestamp($1::float8 / 1000) AND at < to_timestamp($2::float8 / 1000)
  AND ($3::text[] IS NULL OR "projectId" = ANY($3)) AND ($4::text IS NULL OR "projectId" = $4)`;

function valuesOf({ scope, project, from, to }: TallyFilter): readonly unknown[] {
  return [from, to, idsOf(scope), project ?? null];
}

/** Returns the figures of runs by the time of their start, in columns of `stepMs`. A key is the start of a column in epoch milliseconds. */
export async function findTalliesOverTime(
  store: Store,
  filter: TallyFilter,
  stepMs: number,
): Promise<readonly TallyRow<number>[]> {
  // Grouped by the stored times, and put into columns here: arithmetic on times of 100,000 rows would take as long as their sum.
  const { rows } = await store.pool.query<TallyRow<Date>>(
    `SELECT at AS key, bucket, ${sums} FROM "RunTally" WHERE kind = 'run' AND ${counted} GROUP BY 1, 2 ORDER BY 1, 2`,
    [...valuesOf(filter)],
  );
  return rows.map(({ key, ...row }) => ({
    key: filter.from + Math.floor((key.getTime() - filter.from) / stepMs) * stepMs,
    ...row,
  }));
}

/** A group of a dashboard. A revision is a part of a project. */
export interface TallyKey {
  /** The id of a project; `undefined` where names of several projects count together. */
  readonly project: ProjectId | undefined;
  /** The name of an agent, model or tool, or the id of a revision; empty for a project and for runs of drafts. */
  readonly name: string;
  readonly projectName: string | undefined;
  readonly revision: number | undefined;
}

const keys: Readonly<
  Record<DashboardGroup, { readonly kind: string; readonly project: string; readonly name: string }>
> = {
  project: { kind: 'run', project: '"projectId"', name: "''" },
  revision: { kind: 'run', project: '"projectId"', name: 'name' },
  agent: { kind: 'agent', project: 'NULL::text', name: 'name' },
  model: { kind: 'model', project: 'NULL::text', name: 'name' },
  tool: { kind: 'tool', project: 'NULL::text', name: 'name' },
};

/** Returns the figures of the groups with the most calls, at most `limit`, those with most first. */
export async function findTalliesBy(
  store: Store,
  filter: TallyFilter,
  group: DashboardGroup,
  limit: number,
): Promise<readonly TallyRow<TallyKey>[]> {
  const { kind, project, name } = keys[group];
  const { rows } = await store.pool.query<Omit<TallyRow<string>, 'key'> & Row>(
    `WITH sums AS MATERIALIZED (
       SELECT ${project} AS project, ${name} AS name, bucket, ${sums} FROM "RunTally" WHERE kind = $5 AND ${counted} GROUP BY 1, 2, 3
     ), most AS (
       SELECT project, name, sum(calls) AS total FROM sums GROUP BY 1, 2 HAVING sum(calls) > 0 ORDER BY 3 DESC, 1, 2 LIMIT $6
     )
     SELECT sums.*, p.name AS "projectName", revision.number AS revision
     FROM most JOIN sums ON sums.name = most.name AND sums.project IS NOT DISTINCT FROM most.project
     LEFT JOIN "Project" p ON p.id = most.project LEFT JOIN "Revision" revision ON revision.id = most.name AND $5 = 'run'
     ORDER BY most.total DESC, most.project, most.name, sums.bucket`,
    [...valuesOf(filter), kind, limit],
  );
  const known = new Map<string, TallyKey>();
  return rows.map(({ project, name, projectName, revision, ...row }) => {
    const id = `${project ?? ''}\n${name}`;
    const key = known.get(id) ?? {
      ...{
        project: project ?? undefined,
        name,
        projectName: projectName ?? undefined,
        revision: revision ?? undefined,
      },
    };
    known.set(id, key);
    return { key, ...row };
  });
}

interface Row {
  readonly project: ProjectId | null;
  readonly name: string;
  readonly projectName: string | null;
  readonly revision: number | null;
}

/** So many new rows are folded at once. */
export const talliesAtOnce = 50_000;
/** Another process that folds at the same time would do the same work. */
const foldLock = 7_203_022;
const fields = '"projectId", kind, name, at, bucket';

/**
 * Makes one row of the rows of each key and hour, and of those of each key and day for what is older than 8 days. Drops what is
 * left of deleted projects. Returns how many new rows there were; the caller repeats it while they are many.
 */
export async function foldTallies(store: Store): Promise<number> {
  return await transaction(store, async (client) => {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS taken', [
      foldLock,
    ]);
    if (rows[0]?.taken !== true) return 0;
    await client.query(
      `DELETE FROM "RunTally" t WHERE NOT EXISTS (SELECT 1 FROM "Project" p WHERE p.id = t."projectId")`,
    );
    const { rows: folded } = await client.query<{ count: number }>(
      `WITH fresh AS (
         SELECT id, ${fields} FROM "RunTally" WHERE NOT folded ORDER BY id LIMIT ${talliesAtOnce}
       ), gone AS (
         DELETE FROM "RunTally" t USING (SELECT DISTINCT ${fields} FROM fresh) f
         WHERE t."projectId" = f."projectId" AND t.kind = f.kind AND t.name = f.name AND t.at = f.at AND t.bucket = f.bucket
         RETURNING t.*
       ), made AS (${sumOf('gone', 'at')})
       SELECT count(*)::int AS count FROM fresh`,
    );
    await client.query(
      `WITH gone AS (
         DELETE FROM "RunTally" WHERE folded AND at < date_trunc('day', now() - interval '8 days', 'UTC')
           AND at <> date_trunc('day', at, 'UTC') RETURNING *
       ) ${sumOf('gone', `date_trunc('day', at, 'UTC')`)}`,
    );
    return folded[0]?.count ?? 0;
  });
}

/** A sum of nothing, which is what is left of a deleted run, needs no row. */
function sumOf(table: string, at: string): string {
  return `INSERT INTO "RunTally" (${fields}, calls, failed, tokens, "costUsd", "peopleMs", folded)
    SELECT "projectId", kind, name, ${at}, bucket, sum(calls), sum(failed), sum(tokens), sum("costUsd"), sum("peopleMs"), true
    FROM ${table} GROUP BY 1, 2, 3, 4, 5
    HAVING sum(calls) <> 0 OR sum(failed) <> 0 OR abs(sum(tokens)) > 1e-6 OR abs(sum("costUsd")) > 1e-9 OR abs(sum("peopleMs")) > 1e-6`;
}
