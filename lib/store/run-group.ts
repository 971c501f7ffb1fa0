import type { CorrelationId } from '@/lib/base/ids';
import type { ProjectScope } from '@/lib/base/rights';
import type { GroupRun, RunGroupTimes } from '@/lib/trace/run-group';
import type { Store } from './database';
import { Prisma } from './generated/client';
import { fromJsonTextStart } from './json-text';
import { exactSql, scoped } from './run-conditions';
import { type SumsRow, sumsSql, toSums } from './sums-sql';

/** So many runs of a group are drawn: the newest. */
export const mostDrawn = 1_000;
/** So many runs of a group are summed: the newest. A page reads them again every few seconds. */
export const mostSummed = 10_000;
/** JSON needs at most six characters for a UTF-16 unit, so this is room for the first 100 units and the opening quote. */
const messageChars = 601;

interface Row extends Omit<GroupRun, 'createdAt' | 'startedAt' | 'finishedAt' | 'agent'> {
  readonly agent: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** Returns the times of the runs of a correlation id that the scope has, and their sums. */
export async function findRunGroup(
  store: Store,
  scope: ProjectScope,
  correlationId: CorrelationId,
): Promise<RunGroupTimes> {
  const where = exactSql(scoped([{ field: 'correlation', value: correlationId }], scope));
  const newest = Prisma.sql`FROM "Run" WHERE ${where} ORDER BY "createdAt" DESC, id DESC`;
  const [rows, [sums]] = await Promise.all([
    store.prisma.$queryRaw<Row[]>`
      SELECT id, status, COALESCE("entryAgent", agent) AS agent, left(message, ${messageChars}) AS message, "createdAt", "startedAt",
        "finishedAt", (SELECT name FROM "Project" project WHERE project.id = "projectId") AS "projectName"
      ${newest} LIMIT ${mostDrawn}`,
    store.prisma.$queryRaw<SumsRow[]>`
      SELECT ${sumsSql('')} FROM (
        SELECT status, "startedAt", "finishedAt", errors, tokens, "costUsd" ${newest} LIMIT ${mostSummed}
      ) newest`,
  ]);
  const isFull = sums?.runCount === mostSummed;
  const older = isFull ? await store.prisma.$queryRaw<unknown[]>`SELECT 1 ${newest} OFFSET ${mostSummed} LIMIT 1` : [];
  return { correlationId, runs: rows.map(toRun).reverse(), sums: toSums(sums), isCut: older.length > 0 };
}

function toRun({ agent, message, createdAt, startedAt, finishedAt, ...row }: Row): GroupRun {
  return {
    ...row,
    agent: agent ?? undefined,
    message: fromJsonTextStart(message),
    createdAt: createdAt.getTime(),
    startedAt: startedAt?.getTime(),
    finishedAt: finishedAt?.getTime(),
  };
}
