import type { PoolClient } from 'pg';
import { z } from 'zod';
import type { ProjectId } from '@/lib/base/ids';
import { parseJson } from '@/lib/base/json';
import { type Budget, type Limits, noBudget, noLimits, type OwnBudget } from '@/lib/base/limits';
import { writeSetting } from './settings';

type Connection = Pick<PoolClient, 'query'>;

const most = z.number().min(0).nullable();
/** Limits that an earlier version did not know are missing. */
const runLimits = z
  .object({ startsPerMinute: most, activePerPerson: most, activePerProject: most, longestMs: most })
  .partial();
const budget = z.object({ maxUsd: most, maxTokens: most, maxRuns: most });
const ownBudget = budget.extend({ byAdministrator: z.boolean() });

/** The limits that are set. */
export interface LimitRules extends Limits {
  /** The budget of every project. */
  readonly common: Budget;
  /** That of the project, if it has its own. */
  readonly own: OwnBudget | undefined;
}

const runsKey = 'run-limits';
const diskKey = 'disk-limit';
const budgetKey = 'budget';
const keyOfProject = (id: ProjectId) => `${budgetKey}:${id}`;

/** Reads the limits (`byDefault` has those that nobody has set), the budget of every project, and that of a project. */
export async function readLimitRules(
  connection: Connection,
  project?: ProjectId,
  byDefault: Limits = noLimits,
): Promise<LimitRules> {
  const own = project === undefined ? '' : keyOfProject(project);
  const { rows } = await connection.query<{ key: string; value: string }>({
    name: 'limit-rules',
    text: 'SELECT key, value FROM "Setting" WHERE key = ANY($1)',
    values: [[runsKey, diskKey, budgetKey, own]],
  });
  const stored = (key: string) => parseJson(rows.find((row) => row.key === key)?.value ?? '');
  const disk = most.safeParse(stored(diskKey)).data;
  return {
    runs: { ...byDefault.runs, ...runLimits.safeParse(stored(runsKey)).data },
    diskBytes: disk === undefined ? byDefault.diskBytes : disk,
    common: budget.safeParse(stored(budgetKey)).data ?? noBudget,
    own: ownBudget.safeParse(stored(own)).data,
  };
}

export async function saveLimits(connection: Connection, { runs, diskBytes }: Limits): Promise<void> {
  await writeSetting(connection, runsKey, JSON.stringify(runs));
  await writeSetting(connection, diskKey, JSON.stringify(diskBytes));
}

/** Stores the budget of every project. */
export async function saveCommonBudget(connection: Connection, value: Budget): Promise<void> {
  await writeSetting(connection, budgetKey, JSON.stringify(value));
}

/** Stores a project's own budget. `undefined` removes it. */
export async function saveOwnBudget(
  connection: Connection,
  project: ProjectId,
  value: OwnBudget | undefined,
): Promise<void> {
  if (value !== undefined) await writeSetting(connection, keyOfProject(project), JSON.stringify(value));
  else await connection.query('DELETE FROM "Setting" WHERE key = $1', [keyOfProject(project)]);
}

/** Selects the own budgets of projects as rows of "projectId" and value, for joins. */
export const ownBudgetsSql = `SELECT substr(key, ${budgetKey.length + 2}) AS "projectId", value FROM "Setting" WHERE key LIKE '${budgetKey}:%'`;

/** Reads a value of `ownBudgetsSql`. */
export function readOwnBudget(value: string | null): OwnBudget | undefined {
  return value === null ? undefined : ownBudget.safeParse(parseJson(value)).data;
}
