import type { Store } from '@/lib/store/database';
import { summaryFormat } from '@/lib/store/tree-summaries';

/**
 * Fills an empty database with projects `p1`, `p2`, … and runs in groups of three, the newest first in the list of runs.
 * Messages have 130 to 660 characters. Run number n has `number-n.` in its message, and belongs to project n % projects.
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
    `INSERT INTO "Run" (id, "projectId", "treeHash", "correlationId", status, "entryAgent", message, "createdAt", "startedAt")
     SELECT 'r' || i, 'p' || 1 + i % $2::int, 't' || 1 + i % $2::int, 'c' || i / 3,
       CASE WHEN i % 50 = 7 THEN 'failed' WHEN i % 9 = 1 THEN 'cancelled' ELSE 'completed' END, 'agent-' || i % 40,
       to_json('common words, number-' || i || '. ' || repeat(md5(i::text) || ' ', CASE WHEN i % 3 = 0 THEN 20 ELSE 4 END))::text,
       now() - make_interval(secs => i), now() - make_interval(secs => i)
     FROM generate_series(1, $1::int) i`,
    [runs, projects],
  );
  await store.pool.query(
    `INSERT INTO "TreeSummary" ("treeHash", format, "agentCount", "errorCount", sketch)
     SELECT hash, $1::int, 1, 0, '{"boxes": [], "lines": [], "width": 0, "height": 0}' FROM "Tree"`,
    [summaryFormat],
  );
  await store.pool.query(
    `INSERT INTO "RunTrace" ("runId", format, bytes, "modelUsage") SELECT id, 1, '\\x00', '{}' FROM "Run"`,
  );
  await store.pool.query('ANALYZE');
}
