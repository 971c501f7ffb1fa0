import { brandAs, type ProjectId } from '@/lib/base/ids';
import type { ProjectScope } from '@/lib/base/rights';
import type { RunCondition } from '@/lib/trace/run-filter';
import type { Store } from './database';
import { scoped, wholeSql } from './run-conditions';

/** Returns the projects that have matching runs. The search in a project ends at its first match. */
export async function findProjectsWithRuns(
  store: Store,
  where: readonly RunCondition[],
  scope: ProjectScope,
): Promise<readonly ProjectId[]> {
  const rows = await store.prisma.$queryRaw<{ readonly id: string }[]>`
    SELECT project.id FROM "Project" project WHERE EXISTS (
      SELECT FROM "Run" WHERE "projectId" = project.id AND ${wholeSql(scoped(where, scope))})
    ORDER BY project.id`;
  return rows.map(({ id }) => brandAs<ProjectId>(id));
}
