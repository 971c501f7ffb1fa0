import { type DashboardFigures, errorRate } from './dashboard';

/*
 * An alert has a figure of many runs and a line. It is raised when the figure is above the line, and over when the figure is a tenth below
 * it, so that a figure which moves around the line is told once:
 *
 *            ┌ raised                 ┌ over
 *   line ────╱╲──╱╲─────────╲─────────┆──
 *   − 10 % ─╱──╲╱──╲─────────╲────────┆──
 */

export const alertFigures = ['errorRate', 'p50', 'p95', 'costDay', 'costMonth'] as const;
export type AlertFigure = (typeof alertFigures)[number];

/** What an alert is about, as the tallies of the database have it. */
export const alertKinds = ['run', 'agent', 'model'] as const;
export type AlertKind = (typeof alertKinds)[number];

/** How many hours an alert may look back. */
export const alertHours = [1, 6, 24, 168] as const;
export type AlertHours = (typeof alertHours)[number];

/** The line of an alert. */
export interface AlertRule {
  readonly figure: AlertFigure;
  readonly kind: AlertKind;
  /** Of the agent or model; empty for runs. */
  readonly name: string;
  /** A part of 1 for an error rate, milliseconds for a percentile, US dollars for a cost. */
  readonly threshold: number;
  /** How far an error rate or a percentile looks back. Costs have their day or month. */
  readonly hours: AlertHours;
  /** With fewer runs, an error rate or a percentile raises nothing. */
  readonly least: number;
}

/** Returns true for a figure that has a window and a least number of runs. */
export function looksBack(figure: AlertFigure): boolean {
  return figure !== 'costDay' && figure !== 'costMonth';
}

const hour = 3_600_000;

/** A time whose runs an alert counts, in epoch milliseconds: until now, or of a cost also the day or month before. */
export interface AlertSpan {
  readonly from: number;
  /** `undefined`: until now. */
  readonly until: number | undefined;
}

/** For so many hours after its end a day or month is still checked: a run counts when it has ended, in the hour of its start. */
const hoursAfter = 6;

/**
 * Returns the times that an alert counts, the present one first. Runs are kept by whole hours in UTC, so a window of 24 hours has the hour
 * that is under way besides.
 */
export function spansOfAlert(
  { figure, hours }: Pick<AlertRule, 'figure' | 'hours'>,
  now: number,
): readonly AlertSpan[] {
  if (looksBack(figure)) return [{ from: (Math.floor(now / hour) - hours) * hour, until: undefined }];
  const from = startOfCost(figure, now);
  const present = { from, until: undefined };
  return now < from + hoursAfter * hour ? [present, { from: startOfCost(figure, from - 1), until: from }] : [present];
}

function startOfCost(figure: AlertFigure, now: number): number {
  const at = new Date(now);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), figure === 'costMonth' ? 1 : at.getUTCDate());
}

/** What an alert counts in a time. */
export interface AlertCount {
  readonly span: AlertSpan;
  readonly figures: DashboardFigures;
}

/** What a check decides. */
interface AlertDecision {
  /** The time that is told and shown. */
  readonly count: AlertCount;
  /** `undefined` while the figure is fine. Of a day or month that has ended it is its last moment. */
  readonly raisedAt: number | undefined;
  /** What people are told. */
  readonly told: 'raised' | 'over' | undefined;
}

/**
 * Decides whether an alert is raised at `now`. `raisedAt` is what the check before decided. Of two days or months each is told on its own,
 * and the higher is shown.
 */
export function decideAlert(
  rule: AlertRule,
  raisedAt: number | undefined,
  counts: readonly [AlertCount, ...AlertCount[]],
  now: number,
): AlertDecision {
  const wasRaisedIn = ({ from, until = Number.POSITIVE_INFINITY }: AlertSpan) =>
    raisedAt !== undefined && (looksBack(rule.figure) || (raisedAt >= from && raisedAt < until));
  const raised = counts.find(({ span, figures }) => isRaisedNow(rule, wasRaisedIn(span), figures));
  if (raised === undefined) {
    return { count: highest(rule, counts), raisedAt: undefined, told: raisedAt === undefined ? undefined : 'over' };
  }
  if (wasRaisedIn(raised.span)) return { count: raised, raisedAt, told: undefined };
  const { until } = raised.span;
  return { count: raised, raisedAt: until === undefined ? now : until - 1, told: 'raised' };
}

function highest({ figure }: AlertRule, [first, ...rest]: readonly [AlertCount, ...AlertCount[]]): AlertCount {
  const costIn = ({ figures }: AlertCount) => alertValue(figure, figures) ?? 0;
  return rest.reduce((most, each) => (costIn(each) > costIn(most) ? each : most), first);
}

/** Says what is wrong with a line, in words that name the field. */
export function problemOfAlert({ figure, kind, name, threshold, hours }: Omit<AlertRule, 'least'>): string | undefined {
  if (kind !== 'run' && name === '') return `Write the name of the ${kind}, or choose runs.`;
  if (figure === 'errorRate') {
    return threshold >= 0 && threshold < 1
      ? undefined
      : 'The line of an error rate is at least 0 % and below 100 %. Write, for example, 5.';
  }
  if (!(threshold > 0 && threshold <= 1e12)) return 'The line is above zero. Write the seconds or US dollars.';
  return looksBack(figure) && threshold >= hours * hour
    ? `The line of a duration is shorter than the time that is looked back: below ${hours * 3_600} seconds, or choose a longer time.`
    : undefined;
}

/** Returns the figure that is compared with the line; `undefined` where no run has one. */
export function alertValue(figure: AlertFigure, figures: DashboardFigures): number | undefined {
  switch (figure) {
    case 'errorRate':
      return errorRate(figures);
    case 'p50':
      return figures.p50;
    case 'p95':
      return figures.p95;
    case 'costDay':
    case 'costMonth':
      return figures.costUsd;
  }
}

/** A figure has to be so far below the line until the alert is over. */
const back = 0.9;

/**
 * Decides whether a figure is above the line. Few runs raise nothing, and do not keep it raised once the figure is back or the window is
 * empty.
 */
export function isRaisedNow(rule: AlertRule, wasRaised: boolean, figures: DashboardFigures): boolean {
  const value = alertValue(rule.figure, figures);
  if (value === undefined) return false;
  if (wasRaised) return value > rule.threshold * back;
  return value > rule.threshold && (!looksBack(rule.figure) || figures.calls >= rule.least);
}
