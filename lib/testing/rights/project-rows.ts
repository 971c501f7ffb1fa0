import { z } from 'zod';
import type { ProjectId } from '@/lib/base/ids';
import type { Store } from '@/lib/store/database';

/** The column that says what a row belongs to, and the rows of a project that it may name. */
const owners = [
  ['projectId', '$1'],
  ['runId', 'SELECT id FROM "Run" WHERE "projectId" = $1'],
  ['reviewId', 'SELECT id FROM "Review" WHERE "projectId" = $1'],
  ['threadId', 'SELECT t.id FROM "ReviewThread" t JOIN "Review" r ON r.id = t."reviewId" WHERE r."projectId" = $1'],
  ['triggerId', 'SELECT id FROM "Trigger" WHERE "projectId" = $1'],
] as const;

const tables = z.array(z.object({ table: z.string(), columns: z.array(z.string()) }));

/** Reads every row that belongs to a project, as text. Two readings are equal unless something of the project has changed. */
export async function projectRows({ pool }: Store, project: ProjectId): Promise<readonly string[]> {
  const found = await pool.query(
    `SELECT table_name AS "table", array_agg(column_name::text) AS columns FROM information_schema.columns
     WHERE table_schema = current_schema() AND column_name = ANY($1) GROUP BY table_name`,
    [owners.map(([column]) => column)],
  );
  const parts = tables.parse(found.rows).map(({ table, columns }) => {
    const [column, ids] = owners.find(([each]) => columns.includes(each)) ?? owners[0];
    return `SELECT '${table} ' || to_jsonb(t)::text AS row FROM "${table}" t WHERE "${column}" IN (${ids})`;
  });
  parts.push(`SELECT 'Project ' || to_jsonb(t)::text FROM "Project" t WHERE id = $1`);
  const { rows } = await pool.query<{ row: string }>(`${parts.join(' UNION ALL ')} ORDER BY 1`, [project]);
  return rows.map(({ row }) => row);
}
