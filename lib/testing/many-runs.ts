import type { Store } from '@/lib/store/database';
import { summaryFormat } from '@/lib/store/tree-summaries';

/**
 * Fills a new database with projects `p1`, `p2`, … and runs in groups of three, the newest first in the list of runs. Each
 * project has one revision, which no run ran, and one trigger, which started none. The same size gives the same rows. Messages have 130 to 660 characters. Run number n has `number-n.` in its message, belongs to
 * project n % projects, and used agent n % 40, tool n % 23 and, every fifth run, hook n % 7. Runs were summarised, but have no
 * events. Of each 20,000, one is extreme in each number: r19500 ran for four hours, r19600 waited for two, r19700 used
 * 100 million tokens, r19800 cost 1,000 dollars, and r19000 alone used the tool `rare_tool_19000`. Every fifth run has a score of `quality`
 * from 0.1 to 0.99, but that of r19200 is 0, and r19100 alone has one of `rare`.
 */
export async function fillWithRuns(
  store: Store,
  size: { readonly runs: number; readonly projects: number },
): Promise<void> {
  const { runs, projects } = size;
  await store.pool.query(
    `INSERT INTO "Tree" (hash, entries) SELECT 't' || i, '[]' FROM generate_series(1, $1::int) i`,
    [projects],
  );
  await store.pool.query(
    `INSERT INTO "Project" (id, name, "updatedAt")
     SELECT 'p' || i, md5(i::text) || ' project', now() - make_interval(mins => i) FROM generate_series(1, $1::int) i`,
    [projects],
  );
  await store.pool.query(
    `INSERT INTO "Draft" ("projectId", "treeHash") SELECT 'p' || i, 't' || i FROM generate_series(1, $1::int) i`,
    [projects],
  );
  await store.pool.query(
    `INSERT INTO "Revision" (id, "projectId", number, "treeHash", author, "authorName", message, draft, closure, "closureHash")
     SELECT 'v' || i, 'p' || i, 1, 't' || i, 'local', 'local', '', 'main', '{}', '' FROM generate_series(1, $1::int) i`,
    [projects],
  );
  await store.pool.query(
    `INSERT INTO "Trigger" (id, "projectId", kind, name, label, message, cron, zone, by)
     SELECT 'g' || i, 'p' || i, 'schedule', 'nightly', 'live', 'Go', '0 2 * * *', 'UTC', 'local' FROM generate_series(1, $1::int) i`,
    [projects],
  );
  await store.pool.query(
    `INSERT INTO "Run" (id, "projectId", "treeHash", "correlationId", status, "entryAgent", message, "createdAt", "startedAt",
       "finishedAt", summarised, bytes, "waitedMs", "peopleMs", "costUsd", tokens, agents, tools, hooks, texts, models, errors, parts)
     SELECT 'r' || i, 'p' || 1 + i % $2::int, 't' || 1 + i % $2::int, 'c' || i / 3,
       CASE WHEN i % 50 = 7 THEN 'failed' WHEN i % 9 = 1 THEN 'cancelled' ELSE 'completed' END, 'agent-' || i % 40,
       to_json('common words, number-' || i || '. ' || repeat(md5(i::text) || ' ', CASE WHEN i % 3 = 0 THEN 20 ELSE 4 END))::text,
       now() - make_interval(secs => i), now() - make_interval(secs => i),
       now() - make_interval(secs => i) + make_interval(secs => CASE WHEN i % 20000 = 19500 THEN 14400 ELSE (i * 7919) % 60 END),
       true, 20000 + (i * 31) % 5000, CASE WHEN i % 20000 = 19600 THEN 7200000 ELSE (i * 7877) % 900 END,
       CASE WHEN i % 20000 = 19400 THEN 7200000 ELSE 0 END,
       CASE WHEN i % 20000 = 19800 THEN 1000 ELSE ((i * 6101) % 1000) / 20000.0 END,
       CASE WHEN i % 20000 = 19700 THEN 100000000 ELSE (i * 7901) % 20000 END,
       E'\\nagent-' || i % 40 || E'\\nwriter\\n',
       E'\\nsearch_' || i % 23 || CASE WHEN i % 20000 = 19000 THEN E'\\nrare_tool_' || i ELSE '' END || E'\\n',
       CASE WHEN i % 5 = 0 THEN E'\\nhooks.ts:audit-' || i % 7 || E'\\n' ELSE E'\\n' END,
       'common words, number-' || i || '. ' || repeat(md5(i::text) || ' ', CASE WHEN i % 3 = 0 THEN 20 ELSE 4 END),
       E'\\nopenai/model-' || i % 4 || E'\\n', CASE WHEN i % 50 = 7 THEN 1 ELSE 0 END,
       '[]'::jsonb
     FROM generate_series(1, $1::int) i`,
    [runs, projects],
  );
  await store.pool.query('SELECT add_run_tallies(run, 1) FROM "StoredRun" run');
  await store.pool.query(
    `INSERT INTO "TreeSummary" ("treeHash", format, "agentCount", "errorCount", sketch)
     SELECT hash, $1::int, 1, 0, '{"boxes": [], "lines": [], "width": 0, "height": 0}' FROM "Tree" ON CONFLICT DO NOTHING`,
    [summaryFormat],
  );
  await store.pool.query(
    `INSERT INTO "RunTrace" ("runId", format, bytes, "modelUsage") SELECT id, 1, '\\x00', '{}' FROM "Run" ON CONFLICT DO NOTHING`,
  );
  await store.pool.query(
    `INSERT INTO "Score" (id, "runId", span, name, value, author, "authorName")
     SELECT 's' || i, 'r' || i, 0, CASE WHEN i = 19100 THEN 'rare' ELSE 'quality' END,
       CASE WHEN i % 20000 = 19200 THEN 0 ELSE 0.1 + (i * 7) % 90 / 100.0 END, 'local', 'local'
     FROM generate_series(5, $1::int, 5) i`,
    [runs],
  );
  await store.pool.query(
    `INSERT INTO "ScoreMean" ("runId", name, mean, count)
     SELECT "runId", each.name, value, 1 FROM "Score" s CROSS JOIN LATERAL (VALUES (s.name), ('')) each(name)`,
  );
  // Without a vacuum of its own, the plan would depend on whether that of the database had come by.
  await store.pool.query('VACUUM ANALYZE');
}
