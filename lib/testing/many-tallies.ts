import type { Store } from '@/lib/store/database';

/**
 * Fills a new database with projects `p1`, `p2`, … and the sums of runs, as a worker has folded them: by hour for eight days, and by day before. Each run has two agents, a model and two tools.
 * Returns the number of rows.
 */
export async function fillWithTallies(
  store: Store,
  size: { readonly runs: number; readonly projects: number; readonly days: number },
): Promise<number> {
  await store.pool.query(
    `INSERT INTO "Tree" (hash, entries) SELECT 't' || i, '[]' FROM generate_series(1, $1::int) i`,
    [size.projects],
  );
  await store.pool.query(
    `INSERT INTO "Project" (id, name, "updatedAt") SELECT 'p' || i, 'Project ' || i, now() FROM generate_series(1, $1::int) i`,
    [size.projects],
  );
  await store.pool.query(
    `INSERT INTO "Draft" ("projectId", "treeHash") SELECT 'p' || i, 't' || i FROM generate_series(1, $1::int) i`,
    [size.projects],
  );
  const { rowCount } = await store.pool.query(
    `INSERT INTO "RunTally" ("projectId", kind, name, at, bucket, calls, failed, tokens, "costUsd", "peopleMs", folded)
     SELECT 'p' || 1 + run.i * 7919::bigint % $2, kind, name,
       CASE WHEN run.at > now() - interval '8 days' THEN date_trunc('hour', run.at, 'UTC') ELSE date_trunc('day', run.at, 'UTC') END AS hour,
       base + (run.i * 7901::bigint) % 20, count(*), count(*) FILTER (WHERE run.i % 50 = 7), sum(run.i % 9000), sum(run.i % 90) / 1000.0, 0, true
     FROM (SELECT i, now() - i * (make_interval(days => $3) / $1::int) AS at FROM generate_series(1, $1::int) i) run
     CROSS JOIN LATERAL (VALUES ('run', '', 44), ('agent', 'lead', 44), ('agent', 'agent-' || run.i % 40, 40),
       ('model', 'openai/model-' || run.i % 4, 40), ('tool', 'search_' || run.i % 23, 30), ('tool', 'read_' || run.i % 11, 20)) part(kind, name, base)
     GROUP BY 1, 2, 3, 4, 5`,
    [size.runs, size.projects, size.days],
  );
  await store.pool.query('VACUUM ANALYZE');
  return rowCount ?? 0;
}
