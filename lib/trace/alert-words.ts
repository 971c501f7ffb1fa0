import { type AlertFigure, type AlertRule, looksBack } from './alerts';
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

/** `24 hours`, `7 days`; `today in UTC` for the cost of a day. */
export function alertWindowWords({ figure, hours }: Pick<AlertRule, 'figure' | 'hours'>): string {
  if (figure === 'costDay') return 'today in UTC';
  if (figure === 'costMonth') return 'this month in UTC';
  return `in the last ${hoursWords(hours)}`;
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
}

/** Writes what people are told when the alert is raised, and when it is over. */
export function alertNotice(
  rule: AlertRule,
  project: string | undefined,
  { value, calls }: AlertFound,
  isRaised: boolean,
): string {
  const { figure, threshold } = rule;
  const name = `${alertFigureNames[figure]}, ${alertSubject(rule, project)}`;
  const line = alertValueWords(figure, threshold);
  const now = value === undefined ? undefined : alertValueWords(figure, value);
  const count = formatCount(calls);
  const among = looksBack(figure)
    ? `${count} ${callsWord(rule, calls)} ${alertWindowWords(rule)}`
    : alertWindowWords(rule);
  if (isRaised) return `Alert: ${name}: ${now ?? '–'}, above the line of ${line} (${among})`;
  const back = now === undefined ? `nothing ended ${alertWindowWords(rule)}` : `${now} (${among})`;
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
