/*
 * Limits on runs, and budgets. A number is the most that is allowed, and null means no limit.
 */

/** Limits on runs. */
export interface RunLimits {
  /** Runs that one person starts in a minute. */
  readonly startsPerMinute: number | null;
  /** Runs of one person that wait in the queue or are executed. */
  readonly activePerPerson: number | null;
  /** The same for all runs of a project. */
  readonly activePerProject: number | null;
  /** Milliseconds that a run takes at most, whatever its files say. */
  readonly longestMs: number | null;
}

/** The limits of an installation, besides budgets. */
export interface Limits {
  readonly runs: RunLimits;
  /** Bytes of files and runs that a project may hold. */
  readonly diskBytes: number | null;
}

/** What the runs of a project may use in a calendar month (UTC). */
export interface Budget {
  readonly maxUsd: number | null;
  readonly maxTokens: number | null;
  readonly maxRuns: number | null;
}

/** A project's own budget. */
export interface OwnBudget extends Budget {
  /** True if an administrator of the installation has set it. Only then it may be above the budget of every project. */
  readonly byAdministrator: boolean;
}

/** What the runs of a project have used in a month, also those that are under way or deleted. */
export interface MonthSpending {
  /** Such as `2026-11`. */
  readonly month: string;
  readonly runs: number;
  readonly usd: number;
  readonly tokens: number;
  /** Model calls that no known price can count. They are missing in `usd`. */
  readonly unpricedCalls: number;
}

export const noRunLimits: RunLimits = {
  ...{ startsPerMinute: null, activePerPerson: null, activePerProject: null },
  longestMs: null,
};
/** Where people have accounts, these hold unless others are set. */
export const limitsOfPeople: Limits = {
  runs: { startsPerMinute: 60, activePerPerson: 100, activePerProject: 500, longestMs: 24 * 60 * 60_000 },
  diskBytes: 5_000_000_000,
};
/** One person alone has no limits, unless some are set. */
export const noLimits: Limits = { runs: noRunLimits, diskBytes: null };
export const noBudget: Budget = { maxUsd: null, maxTokens: null, maxRuns: null };

/** Returns the budget that holds for a project. `common` is that of every project. */
export function budgetInForce(own: OwnBudget | undefined, common: Budget): Budget {
  const hold = (of: number | null | undefined, most: number | null): number | null => {
    if (of === null || of === undefined) return most;
    return own?.byAdministrator === true || most === null ? of : Math.min(of, most);
  };
  return {
    maxUsd: hold(own?.maxUsd, common.maxUsd),
    maxTokens: hold(own?.maxTokens, common.maxTokens),
    maxRuns: hold(own?.maxRuns, common.maxRuns),
  };
}

/** How much of one limit of a budget is used. */
export interface BudgetUse {
  readonly what: 'usd' | 'tokens' | 'runs';
  readonly used: number;
  readonly most: number;
  /** `used` as a part of `most`; 1 or more when nothing is left. */
  readonly part: number;
}

/** Returns the use of each limit that the budget has, the fullest first. */
export function budgetUse(budget: Budget, spent: MonthSpending): readonly BudgetUse[] {
  const use = (what: BudgetUse['what'], used: number, most: number | null): readonly BudgetUse[] =>
    most === null ? [] : [{ what, used, most, part: most === 0 ? 1 : used / most }];
  return [
    ...use('usd', spent.usd, budget.maxUsd),
    ...use('tokens', spent.tokens, budget.maxTokens),
    ...use('runs', spent.runs, budget.maxRuns),
  ].sort((one, other) => other.part - one.part);
}

/** From this part on people are warned. */
export const warnedFrom = 0.8;

/** Says in a sentence how much of a budget is used: "The runs of this project have used $4.10 of $5 in November 2026 (UTC)." */
export function sentenceOfUse(use: BudgetUse, month: string): string {
  const { what, used, most } = use;
  const amounts = what === 'usd' ? `${dollars(used)} of ${dollars(most)}` : `${whole(used)} of ${whole(most)} ${what}`;
  return `The runs of this project have used ${amounts} in ${monthName(month)} (UTC).`;
}

/** Says why no run may use more this month, when that ends, and who can change it. */
export function sentenceOfSpent(use: BudgetUse, month: string): string {
  const renews = `The budget renews on ${dayName(nextMonth(month))}.`;
  return `${sentenceOfUse(use, month)} That is the budget of the month. ${renews} An administrator can raise it.`;
}

/** What people are told when a budget is nearly or wholly used. */
export interface BudgetNotice {
  /** True if no run may start or go on. */
  readonly isSpent: boolean;
  readonly text: string;
  /** True if the person may raise the budget. */
  readonly mayRaise: boolean;
}

/** Says how much of the fullest limit is used, once that is 80 %, and when the budget renews. */
export function budgetNotice(
  budget: Budget,
  spent: MonthSpending,
): (Omit<BudgetNotice, 'mayRaise'> & { readonly what: BudgetUse['what'] }) | undefined {
  const [fullest] = budgetUse(budget, spent);
  if (fullest === undefined || fullest.part < warnedFrom) return undefined;
  const isSpent = fullest.part >= 1;
  const then = isSpent
    ? 'That is the budget of the month, so no run starts.'
    : 'Once the budget is used up, no run starts.';
  const renews = `The budget renews on ${dayName(nextMonth(spent.month))}.`;
  return { what: fullest.what, isSpent, text: `${sentenceOfUse(fullest, spent.month)} ${then} ${renews}` };
}

/** True if an admin of the project may set this limit higher: the project has its own, below that of every project. */
export function projectMayRaise(what: BudgetUse['what'], own: OwnBudget | undefined, common: Budget): boolean {
  if (own === undefined || own.byAdministrator) return false;
  const name = ({ usd: 'maxUsd', tokens: 'maxTokens', runs: 'maxRuns' } as const)[what];
  const mine = own[name];
  return mine !== null && (common[name] === null || mine < common[name]);
}

export function dollars(usd: number): string {
  const cents = Math.round(usd * 100);
  if (usd !== 0 && cents === 0) return usd > 0 ? 'less than $0.01' : '$0';
  return cents % 100 === 0
    ? `$${whole(cents / 100)}`
    : `$${whole(Math.floor(cents / 100))}.${`${cents % 100}`.padStart(2, '0')}`;
}

export function whole(count: number): string {
  return Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Returns the calendar month of a time in UTC. */
export function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7);
}

/** Returns when the month after `month` begins. */
export function nextMonth(month: string): Date {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1));
}

const months = 'January February March April May June July August September October November December'.split(' ');

function monthName(month: string): string {
  return `${months[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;
}

function dayName(at: Date): string {
  return `${at.getUTCDate()} ${months[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
}
