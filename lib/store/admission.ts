import type { PoolClient } from 'pg';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import {
  budgetInForce,
  budgetUse,
  type MonthSpending,
  nextMonth,
  type RunLimits,
  sentenceOfSpent,
  whole,
} from '@/lib/base/limits';
import type { LimitRules } from './limit-rules';
import { readMonthSpending } from './month-spending';

type Connection = Pick<PoolClient, 'query'>;

/** A run that is about to be stored. */
export interface Asked {
  readonly projectId: ProjectId;
  readonly startedBy: string;
}

/** True if a start has to be counted against a limit. */
export function isLimited({ runs, own, common }: LimitRules): boolean {
  const { startsPerMinute, activePerPerson, activePerProject } = runs;
  return [startsPerMinute, activePerPerson, activePerProject, ...Object.values(budgetInForce(own, common))].some(
    (most) => most !== null,
  );
}

/**
 * Refuses a run that is over a limit or a budget, in the transaction that stores the run. Starts of one person or in one project are
 * counted one after another: each waits until the one before is stored, so that starts at the same time cannot pass together.
 * Throws AppError `too_many` and `over_budget`.
 */
export async function admitRun(
  connection: Connection,
  { projectId, startedBy }: Asked,
  rules: LimitRules,
): Promise<void> {
  // Always in this order, so that two starts never wait for each other.
  await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 24))', [`project ${projectId}`]);
  if (rules.runs.startsPerMinute !== null || rules.runs.activePerPerson !== null) {
    await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 24))', [`person ${startedBy}`]);
  }
  await refuseQuickStarts(connection, startedBy, rules.runs);
  const active = await countActive(connection, projectId, startedBy);
  refuseActive(active, rules.runs);
  await refuseSpent(connection, projectId, active.waiting, rules);
}

async function refuseQuickStarts(
  connection: Connection,
  startedBy: string,
  { startsPerMinute }: RunLimits,
): Promise<void> {
  if (startsPerMinute === null) return;
  const { rows } = await connection.query<{ count: number; wait: number | null }>(
    `SELECT count(*)::int AS count, 60 - EXTRACT(EPOCH FROM statement_timestamp() - min("createdAt"))::float8 AS wait FROM (
       SELECT "createdAt" FROM "Run" WHERE "startedBy" = $1 AND "createdAt" > statement_timestamp() - interval '1 minute'
       ORDER BY "createdAt" DESC, id DESC LIMIT $2
     ) newest`,
    [startedBy, startsPerMinute],
  );
  const { count = 0, wait = null } = rows[0] ?? {};
  if (count < startsPerMinute) return;
  const seconds = Math.max(1, Math.ceil(wait ?? 60));
  const most = startsPerMinute === 1 ? 'one run' : `${whole(startsPerMinute)} runs`;
  throw new AppError(
    'too_many',
    `You may start ${most} a minute, and have done so. Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`,
    { retryAfter: `${seconds}` },
  );
}

interface Active {
  readonly mine: number;
  readonly ofProject: number;
  /** Runs of the project that no worker has begun. They are not in the month yet. */
  readonly waiting: number;
}

async function countActive(connection: Connection, projectId: ProjectId, startedBy: string): Promise<Active> {
  const { rows } = await connection.query<Active>(
    `SELECT count(*) FILTER (WHERE "startedBy" = $2)::int AS mine, count(*) FILTER (WHERE "projectId" = $1)::int AS "ofProject",
       count(*) FILTER (WHERE "projectId" = $1 AND "startedAt" IS NULL)::int AS waiting
     FROM "Run" WHERE status IN ('queued', 'running')`,
    [projectId, startedBy],
  );
  return rows[0] ?? { mine: 0, ofProject: 0, waiting: 0 };
}

/** When a run ends is not known, so a script is told to look again soon. */
const lookAgain = { retryAfter: '10' };

function refuseActive({ mine, ofProject }: Active, { activePerPerson, activePerProject }: RunLimits): void {
  const wait = 'Wait until one has ended, or stop one.';
  if (activePerPerson !== null && mine >= activePerPerson) {
    const message = `You may have ${whole(activePerPerson)} runs that wait or run, and have ${whole(mine)}. ${wait}`;
    throw new AppError('too_many', message, lookAgain);
  }
  if (activePerProject !== null && ofProject >= activePerProject) {
    const message = `This project may have ${whole(activePerProject)} runs that wait or run, and has ${whole(ofProject)}. ${wait}`;
    throw new AppError('too_many', message, lookAgain);
  }
}

async function refuseSpent(
  connection: Connection,
  projectId: ProjectId,
  waiting: number,
  { own, common }: LimitRules,
): Promise<void> {
  const budget = budgetInForce(own, common);
  if (Object.values(budget).every((most) => most === null)) return;
  const spent = await readMonthSpending(connection, projectId);
  const [fullest] = budgetUse(budget, { ...spent, runs: spent.runs + waiting });
  if (fullest !== undefined && fullest.part >= 1) throw overBudget(sentenceOfSpent(fullest, spent.month), spent);
}

function overBudget(sentence: string, { month }: MonthSpending): AppError {
  const seconds = Math.max(1, Math.ceil((nextMonth(month).getTime() - Date.now()) / 1000));
  return new AppError('over_budget', sentence, { retryAfter: `${seconds}` });
}
