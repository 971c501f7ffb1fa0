import type { PoolClient } from 'pg';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import {
  type Budget,
  budgetInForce,
  budgetUse,
  type MonthSpending,
  type OwnBudget,
  sentenceOfSpent,
} from '@/lib/base/limits';
import { type LimitRules, ownBudgetsSql, readLimitRules, readOwnBudget } from './limit-rules';

/*
 * What runs have used, by project and calendar month (UTC). The writer of a run's events adds what each batch has used to the run's
 * row, and a trigger adds it to the month. So runs that are under way count, and those that were deleted too. Reading a month reads at
 * most 16 rows.
 */

type Connection = Pick<PoolClient, 'query'>;

const thisMonth = `to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM')`;
const sums = `COALESCE(sum(runs), 0)::int AS runs, COALESCE(sum("costUsd"), 0) AS usd, COALESCE(sum(tokens), 0) AS tokens,
  COALESCE(sum("unpricedCalls"), 0)::int AS "unpricedCalls"`;

/** Reads what a project has used in the current month. */
export async function readMonthSpending(connection: Connection, project: ProjectId): Promise<MonthSpending> {
  const { rows } = await connection.query<MonthSpending>({
    name: 'month-spending',
    text: `SELECT ${thisMonth} AS month, ${sums} FROM "MonthSpending" WHERE "projectId" = $1 AND month = ${thisMonth}`,
    values: [project],
  });
  const [spent] = rows;
  if (spent === undefined) throw new Error('A sum has a row');
  return spent;
}

/** The budget of a project and what it has used of it in the current month. */
export interface ProjectBudget {
  readonly id: ProjectId;
  readonly name: string;
  readonly own: OwnBudget | undefined;
  readonly budget: Budget;
  readonly spent: MonthSpending;
}

/**
 * Returns the projects that have a budget of their own or have used something this month, those that used most dollars first, at
 * most 200. `among` are the projects that the reader may see.
 */
export async function listProjectBudgets(
  connection: Connection,
  among: 'all' | readonly ProjectId[],
): Promise<readonly ProjectBudget[]> {
  const { common } = await readLimitRules(connection);
  const { rows } = await connection.query<MonthSpending & { id: string; name: string; value: string | null }>(
    `SELECT p.id, p.name, o.value, ${thisMonth} AS month, s.runs, s.usd, s.tokens, s."unpricedCalls"
     FROM "Project" p LEFT JOIN (${ownBudgetsSql}) o ON o."projectId" = p.id
     CROSS JOIN LATERAL (SELECT ${sums} FROM "MonthSpending" m WHERE m."projectId" = p.id AND m.month = ${thisMonth}) s
     WHERE (o.value IS NOT NULL OR s.runs > 0 OR s.tokens > 0) AND ($1::text[] IS NULL OR p.id = ANY($1))
     ORDER BY s.usd DESC, s.tokens DESC, p.name, p.id LIMIT 200`,
    [among === 'all' ? null : among],
  );
  return rows.map(({ id, name, value, ...spent }) => {
    const own = readOwnBudget(value);
    return { id: brandAs<ProjectId>(id), name, own, budget: budgetInForce(own, common), spent };
  });
}

/** True if a project of these rules has a budget of dollars or tokens. */
export function hasSpendingBudget({ own, common }: Pick<LimitRules, 'own' | 'common'>): boolean {
  const { maxUsd, maxTokens } = budgetInForce(own, common);
  return maxUsd !== null || maxTokens !== null;
}

/**
 * Returns why runs that are under way may use nothing more this month, as a sentence. `undefined`: they may. The number of runs stops
 * none of them: they were counted when they began.
 */
export async function findSpentBudget(connection: Connection, project: ProjectId): Promise<string | undefined> {
  const { own, common } = await readLimitRules(connection, project);
  const spent = await readMonthSpending(connection, project);
  const [fullest] = budgetUse({ ...budgetInForce(own, common), maxRuns: null }, spent);
  return fullest !== undefined && fullest.part >= 1 ? sentenceOfSpent(fullest, spent.month) : undefined;
}
