import { type AlertFigure, type AlertRule, type AlertSpan, looksBack, spansOfAlert } from './alerts';
import { formatCost } from './cost';
import { formatCount, formatDuration } from './wording';

/* What an alert is called: on the dashboard, and in the notices about it. */

export const alertFigureNames: Readonly<Record<AlertFigure, string>> = {
  errorRate: 'Error rate',
  p50: 'Median duration',
  p95: '95th percentile of durations',
  costDay: 'Cost of the day',
  costMonth: 'Cost of the month',
};

/** Writes a value of the figure: `12 %`, `3.4 s`, `$2.10`. */
export function alertValueWords(figure: AlertFigure, value: number): string {
  if (figure === 'errorRate') return `${value > 0 ? Math.max(0.1, Math.round(value * 1_000) / 10) : 0} %`;
  return looksBack(figure) ? formatDuration(value * 1_000) : formatCost({ usd: value, unpriced: [] });
}

/** `runs of Shop`, `agent lead in all projects`. */
export function alertSubject({ kind, name }: Pick<AlertRule, 'kind' | 'name'>, project: string | undefined): string {
  const of = project ?? 'all projects';
  return kind === 'run' ? `runs of ${of}` : `${kind} ${name} in ${of}`;
}

type Window = Pick<AlertRule, 'figure' | 'hours'>;

/** `in the last 24 hours`; `today in UTC` or `yesterday in UTC` for the cost of a day. */
export function alertSpanWords({ figure, hours }: Window, { until }: Pick<AlertSpan, 'until'>): string {
  if (figure === 'costDay') return until === undefined ? 'today in UTC' : 'yesterday in UTC';
  if (figure === 'costMonth') return until === undefined ? 'this month in UTC' : 'last month in UTC';
  return `in the last ${hoursWords(hours)}`;
}

/** Says what the check at `checkedAt` counted: `today or yesterday in UTC, the higher` while both days are checked. */
export function alertWindowWords(rule: Window, checkedAt: number | undefined): string {
  const isOne = checkedAt === undefined || spansOfAlert(rule, checkedAt).length === 1;
  if (isOne) return alertSpanWords(rule, { until: undefined });
  return `${rule.figure === 'costDay' ? 'today or yesterday' : 'this or last month'} in UTC, the higher`;
}

export function hoursWords(hours: number): string {
  if (hours === 1) return 'hour';
  return hours % 24 === 0 && hours > 24 ? `${hours / 24} days` : `${hours} hours`;
}

/** What a check found. */
export interface AlertFound {
  readonly value: number | undefined;
  /** Runs, instances of an agent or calls of a model in the window. */
  readonly calls: number;
  /** The time that was counted. */
  readonly span: Pick<AlertSpan, 'until'>;
}

/** Writes what people are told when the alert is raised, and when it is over. */
export function alertNotice(
  rule: AlertRule,
  project: string | undefined,
  { value, calls, span }: AlertFound,
  isRaised: boolean,
): string {
  const { figure, threshold } = rule;
  const name = `${alertFigureNames[figure]}, ${alertSubject(rule, project)}`;
  const line = alertValueWords(figure, threshold);
  const now = value === undefined ? undefined : alertValueWords(figure, value);
  const count = formatCount(calls);
  const when = alertSpanWords(rule, span);
  const among = looksBack(figure) ? `${count} ${callsWord(rule, calls)} ${when}` : when;
  if (isRaised) return `Alert: ${name}: ${now ?? '–'}, above the line of ${line} (${among})`;
  const back = now === undefined ? `nothing ended ${when}` : `${now} (${among})`;
  return `Over: ${name}: ${back}. The line is ${line}`;
}

const callWords = { run: ['run', 'runs'], agent: ['instance', 'instances'], model: ['call', 'calls'] } as const;

/** What is counted: runs, instances of an agent, calls of a model. */
export function callsWord({ kind }: Pick<AlertRule, 'kind'>, calls: number): string {
  return callWords[kind][calls === 1 ? 0 : 1];
}

/** Returns the path of the dashboard that shows the figure. */
export function alertHref(rule: Pick<AlertRule, 'figure' | 'hours' | 'kind'>, project: string | undefined): string {
  const range = rule.figure === 'costMonth' ? '30d' : looksBack(rule.figure) && rule.hours > 24 ? '7d' : '24h';
  const by = rule.kind === 'model' ? 'model' : 'agent';
  return `/runs/dashboard?${new URLSearchParams({ range, by, ...(project !== undefined && { project }) })}#alerts`;
}
