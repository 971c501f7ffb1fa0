import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import {
  type Budget,
  type BudgetNotice,
  budgetInForce,
  budgetNotice,
  budgetUse,
  dollars,
  type Limits,
  limitsOfPeople,
  type MonthSpending,
  nextMonth,
  noLimits,
  type OwnBudget,
  projectMayRaise,
  type RunLimits,
  sentenceOfUse,
  warnedFrom,
  whole,
} from '@/lib/base/limits';
import { askWords } from '@/lib/base/project-access';
import { type Action, decide } from '@/lib/base/rights';
import type { Admit } from '@/lib/jobs/enqueue';
import { admitRun, isLimited } from '@/lib/store/admission';
import { appendAudit } from '@/lib/store/audit';
import type { Store } from '@/lib/store/database';
import { type LimitRules, readLimitRules, saveCommonBudget, saveLimits, saveOwnBudget } from '@/lib/store/limit-rules';
import { listProjectBudgets, type ProjectBudget, readMonthSpending } from '@/lib/store/month-spending';
import { findAdmins } from '@/lib/store/owners';
import { listLargestProjects, type ProjectDisk, refuseFullDisk } from '@/lib/store/project-disk';
import { findProject } from '@/lib/store/projects';
import { transaction } from '@/lib/store/transaction';
import { type Services, withScope, withStore, withStoreOnce } from './services';
import { accountsAreOn } from './settings/process-env';

async function rulesOf(store: Store, project?: ProjectId): Promise<LimitRules> {
  return await readLimitRules(store.pool, project, accountsAreOn() ? limitsOfPeople : noLimits);
}

/**
 * Does what `withStoreOnce` does, for work that stores more in a project. Throws AppError `too_large` if the project holds as much as it
 * may.
 */
export async function withRoom<T>(
  actor: Actor,
  action: Action,
  project: ProjectId,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  return await withStoreOnce(actor, action, { project }, async (opened) => {
    await refuseMore(opened.store, project);
    return await work(opened);
  });
}

/** Throws AppError `too_large` if the project holds as much as it may. */
export async function refuseMore(store: Store, project: ProjectId): Promise<void> {
  await refuseFullDisk(store, project, (await rulesOf(store)).diskBytes);
}

/**
 * Returns what counts a start against the limits, in the transaction that stores the run. `undefined`: there are no limits. Throws
 * AppError `too_large` if the project holds as much as it may.
 */
export async function admissionOf(store: Store, { by }: Actor, projectId: ProjectId): Promise<Admit | undefined> {
  const rules = await rulesOf(store, projectId);
  await refuseFullDisk(store, projectId, rules.diskBytes);
  return isLimited(rules) ? (connection) => admitRun(connection, { projectId, startedBy: by }, rules) : undefined;
}

/** The limits that hold, with the projects whose budgets the actor may change. */
export interface LimitsOverview {
  readonly runs: RunLimits;
  readonly disk: { readonly bytesPerProject: number | null; readonly largest: readonly ProjectDisk[] };
  /** The budget of every project. */
  readonly budget: Budget;
  readonly projects: readonly ProjectBudget[];
}

export async function readLimits(actor: Actor): Promise<LimitsOverview> {
  return await withScope(actor, 'settings.change', async (store, scope) => {
    const { runs, diskBytes, common } = await rulesOf(store);
    const largest = await listLargestProjects(store.pool, scope);
    const projects = await listProjectBudgets(store.pool, scope);
    return { runs, disk: { bytesPerProject: diskBytes, largest }, budget: common, projects };
  });
}

/** Limits to store. What is left out stays as it is. */
export interface ChangedLimits {
  readonly runs: Omit<RunLimits, 'longestMs'> & { readonly longestMs?: RunLimits['longestMs'] | undefined };
  readonly diskBytes?: Limits['diskBytes'] | undefined;
}

/** Stores the limits of the installation and the budget of every project. */
export async function changeLimits(actor: Actor, changed: ChangedLimits, budget: Budget): Promise<void> {
  await withStoreOnce(actor, 'settings.change', 'installation', async ({ store }) => {
    const before = await rulesOf(store);
    const { longestMs = before.runs.longestMs, ...starts } = changed.runs;
    const { diskBytes = before.diskBytes } = changed;
    const runs = { ...starts, longestMs };
    await transaction(store, async (connection) => {
      await saveLimits(connection, { runs, diskBytes });
      await saveCommonBudget(connection, budget);
      const body = { runs, diskBytes, common: { ...budget } };
      await appendAudit(connection, { actor, action: 'limits.changed', object: 'app', body });
    });
  });
}

/** The budget of a project, and what it has used of it. */
export interface BudgetState {
  readonly own: OwnBudget | null;
  readonly budget: Budget;
  readonly spent: MonthSpending;
  readonly renewsAt: Date;
  /** A sentence for each limit that is used to 80 % or more, and one if some calls cannot be counted in dollars. */
  readonly warnings: readonly string[];
  /** What people who open the project are told, once 80 % are used: with who can raise the budget. */
  readonly notice: BudgetNotice | null;
}

/** Reads the budget of a project. Throws AppError `not_found`. */
export async function readBudget(actor: Actor, project: ProjectId): Promise<BudgetState> {
  return await withStore(actor, 'project.read', { project }, async (store) => {
    await findProject(store, project);
    const { own, common } = await rulesOf(store, project);
    const spent = await readMonthSpending(store.pool, project);
    const budget = budgetInForce(own, common);
    const full = budgetUse(budget, spent).filter(({ part }) => part >= warnedFrom);
    const warnings = [...full.map((use) => sentenceOfUse(use, spent.month)), ...unpricedWarning(budget, spent)];
    const notice = await noticeFor(store, actor, { project, own, common, spent });
    return { own: own ?? null, budget, spent, renewsAt: nextMonth(spent.month), warnings, notice };
  });
}

interface NoticeOf {
  readonly project: ProjectId;
  readonly own: OwnBudget | undefined;
  readonly common: Budget;
  readonly spent: MonthSpending;
}

async function noticeFor(
  store: Store,
  { reach }: Actor,
  { project, own, common, spent }: NoticeOf,
): Promise<BudgetNotice | null> {
  const told = budgetNotice(budgetInForce(own, common), spent);
  if (told === undefined) return null;
  const { what, isSpent, text } = told;
  const byAdmins = projectMayRaise(what, own, common);
  const mayRaise =
    decide(reach, 'settings.change', null) === 'allowed' ||
    (byAdmins && decide(reach, 'settings.change', project) === 'allowed');
  if (mayRaise) return { isSpent, mayRaise, text: `${text} You can raise it.` };
  const whom = byAdmins ? askWords(await findAdmins(store, project)) : 'an administrator of this installation';
  return { isSpent, mayRaise, text: `${text} Ask ${whom} to raise it.` };
}

function unpricedWarning({ maxUsd }: Budget, { unpricedCalls }: MonthSpending): readonly string[] {
  if (maxUsd === null || unpricedCalls === 0) return [];
  const calls = unpricedCalls === 1 ? 'One model call has' : `${whole(unpricedCalls)} model calls have`;
  return [`${calls} no known price and cannot be counted in dollars. Limit tokens too.`];
}

/**
 * Stores the own budget of a project; `undefined` removes it. Throws AppError `not_found`, and `not_allowed` for one above that of every
 * project, unless an administrator sets it.
 */
export async function changeBudget(actor: Actor, project: ProjectId, budget: Budget | undefined): Promise<void> {
  await withStoreOnce(actor, 'settings.change', { project }, async ({ store }) => {
    await findProject(store, project);
    const byAdministrator = decide(actor.reach, 'settings.change', null) === 'allowed';
    const { own, common } = await rulesOf(store, project);
    if (!byAdministrator) {
      if (own?.byAdministrator === true) {
        const message = 'An administrator has set the budget of this project. Ask an administrator to change it.';
        throw new AppError('not_allowed', message);
      }
      if (budget !== undefined) refuseAbove(budget, common);
    }
    await transaction(store, async (connection) => {
      await saveOwnBudget(connection, project, budget && { ...budget, byAdministrator });
      const body = { budget: budget === undefined ? null : { ...budget } };
      await appendAudit(connection, { actor, action: 'limits.changed', object: project, project, body });
    });
  });
}

function refuseAbove(budget: Budget, common: Budget): void {
  const amounts = [
    ['maxUsd', dollars],
    ['maxTokens', (most: number) => `${whole(most)} tokens`],
    ['maxRuns', (most: number) => `${whole(most)} runs`],
  ] as const;
  for (const [name, words] of amounts) {
    const most = common[name];
    if (most === null || (budget[name] ?? 0) <= most) continue;
    const said = `${name}: every project may use ${words(most)} a month.`;
    throw new AppError('not_allowed', `${said} Set no more, or ask an administrator.`);
  }
}
