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

/**
 * Returns the start of the time that an alert counts, in epoch milliseconds. Runs are kept by whole hours in UTC, so a window of 24 hours
 * has the hour that is under way besides.
 */
export function startOfAlert({ figure, hours }: Pick<AlertRule, 'figure' | 'hours'>, now: number): number {
  const at = new Date(now);
  if (figure === 'costMonth') return Date.UTC(at.getUTCFullYear(), at.getUTCMonth());
  if (figure === 'costDay') return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
  return (Math.floor(now / hour) - hours) * hour;
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
 * Decides whether an alert is raised now. Few runs raise nothing, and do not keep it raised once the figure is back or the window is
 * empty.
 */
export function isRaisedNow(rule: AlertRule, wasRaised: boolean, figures: DashboardFigures): boolean {
  const value = alertValue(rule.figure, figures);
  if (value === undefined) return false;
  if (wasRaised) return value > rule.threshold * back;
  return value > rule.threshold && (!looksBack(rule.figure) || figures.calls >= rule.least);
}
