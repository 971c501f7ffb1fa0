import type { PoolClient } from 'pg';
import { z } from 'zod';
import type { ProjectId } from '@/lib/base/ids';
import { parseJson } from '@/lib/base/json';
import { type Budget, noBudget, noRunLimits, type OwnBudget, type RunLimits } from '@/lib/base/limits';

type Connection = Pick<PoolClient, 'query'>;

const most = z.number().min(0).nullable();
const runLimits = z.object({ startsPerMinute: most, activePerPerson: most, activePerProject: most });
const budget = z.object({ maxUsd: most, maxTokens: most, maxRuns: most });
const ownBudget = budget.extend({ byAdministrator: z.boolean() });

/** The limits that are set. */
export interface LimitRules {
  readonly runs: RunLimits;
  /** The budget of every project. */
  readonly common: Budget;
  /** That of the project, if it has its own. */
  readonly own: OwnBudget | undefined;
}

const runsKey = 'run-limits';
const budgetKey = 'budget';
const keyOfProject = (id: ProjectId) => `${budgetKey}:${id}`;

/** Reads the limits on runs (`byDefault` if none are set), the budget of every project, and that of a project. */
export async function readLimitRules(
  connection: Connection,
  project?: ProjectId,
  byDefault: RunLimits = noRunLimits,
): Promise<LimitRules> {
  const own = project === undefined ? '' : keyOfProject(project);
  const { rows } = await connection.query<{ key: string; value: string }>({
    name: 'limit-rules',
    text: 'SELECT key, value FROM "Setting" WHERE key = ANY($1)',
    values: [[runsKey, budgetKey, own]],
  });
  const stored = (key: string) => parseJson(rows.find((row) => row.key === key)?.value ?? '');
  return {
    runs: runLimits.safeParse(stored(runsKey)).data ?? byDefault,
    common: budget.safeParse(stored(budgetKey)).data ?? noBudget,
    own: ownBudget.safeParse(stored(own)).data,
  };
}

export async function saveRunLimits(connection: Connection, value: RunLimits): Promise<void> {
  await save(connection, runsKey, value);
}

/** Stores the budget of every project. */
export async function saveCommonBudget(connection: Connection, value: Budget): Promise<void> {
  await save(connection, budgetKey, value);
}

/** Stores a project's own budget. `undefined` removes it. */
export async function saveOwnBudget(
  connection: Connection,
  project: ProjectId,
  value: OwnBudget | undefined,
): Promise<void> {
  if (value !== undefined) await save(connection, keyOfProject(project), value);
  else await connection.query('DELETE FROM "Setting" WHERE key = $1', [keyOfProject(project)]);
}

/** Selects the own budgets of projects as rows of "projectId" and value, for joins. */
export const ownBudgetsSql = `SELECT substr(key, ${budgetKey.length + 2}) AS "projectId", value FROM "Setting" WHERE key LIKE '${budgetKey}:%'`;

/** Reads a value of `ownBudgetsSql`. */
export function readOwnBudget(value: string | null): OwnBudget | undefined {
  return value === null ? undefined : ownBudget.safeParse(parseJson(value)).data;
}

async function save(connection: Connection, key: string, value: unknown): Promise<void> {
  await connection.query(
    'INSERT INTO "Setting" (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value',
    [key, JSON.stringify(value)],
  );
}
