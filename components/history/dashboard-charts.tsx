'use client';

import { useMemo } from 'react';
import { classNames } from '@/components/ui/class-names';
import { type Dashboard, type DashboardColumn, errorRate } from '@/lib/trace/dashboard';
import { formatCount } from '@/lib/trace/wording';
import { type ChartSeries, DashboardChart } from './dashboard-chart';
import { endedRuns, runsHref } from './dashboard-links';
import { formatMs, formatShare, formatUsd, momentWords } from './dashboard-words';

interface Sketch {
  readonly title: string;
  readonly series: readonly (Omit<ChartSeries, 'values'> & {
    readonly figureOf: (column: DashboardColumn) => number | undefined;
  })[];
  readonly format: (value: number) => string;
  readonly increments?: readonly number[];
  readonly wordsOf: (column: DashboardColumn) => string;
}

const countSteps = [1, 2, 5]
  .flatMap((each) => Array.from({ length: 15 }, (_, power) => each * 10 ** power))
  .sort((a, b) => a - b);
const minute = 60_000;
/** Round steps of an axis of durations, in milliseconds. */
const timeSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000].concat(
  [1, 2, 5, 10, 20, 30, 60, 120, 360, 720].map((each) => each * minute),
  [1, 2, 5, 10, 20, 50, 100, 200].map((each) => each * 1_440 * minute),
);

const sketches: readonly Sketch[] = [
  {
    title: 'Runs',
    series: [
      { label: 'runs', tone: 'accent', kind: 'bars', figureOf: ({ calls }) => calls },
      { label: 'failed', tone: 'bad', kind: 'bars', figureOf: ({ failed }) => failed },
    ],
    ...{ format: formatCount, increments: countSteps },
    wordsOf: (column) =>
      `${formatCount(column.calls)} ${column.calls === 1 ? 'run' : 'runs'}, ${formatCount(column.failed)} failed (${formatShare(errorRate(column))})`,
  },
  {
    title: 'Duration',
    series: [
      { label: '95 % at most', tone: 'warn', kind: 'line', figureOf: ({ p95 }) => p95 },
      { label: 'half at most', tone: 'accent', kind: 'line', figureOf: ({ p50 }) => p50 },
    ],
    ...{ format: formatMs, increments: timeSteps },
    wordsOf: ({ p50, p95 }) => `half took at most ${formatMs(p50)}, 95 % ${formatMs(p95)}`,
  },
  {
    title: 'Cost',
    series: [{ label: 'US dollars', tone: 'ok', kind: 'bars', figureOf: ({ costUsd }) => costUsd }],
    format: formatUsd,
    wordsOf: ({ costUsd }) => formatUsd(costUsd),
  },
  {
    title: 'Tokens',
    series: [{ label: 'input and output', tone: 'model', kind: 'bars', figureOf: ({ tokens }) => tokens }],
    ...{ format: formatCount, increments: countSteps },
    wordsOf: ({ tokens }) => `${formatCount(tokens)} tokens`,
  },
  {
    title: 'Waiting for people',
    series: [{ label: 'summed over runs', tone: 'warn', kind: 'bars', figureOf: ({ peopleMs }) => peopleMs }],
    ...{ format: formatMs, increments: timeSteps },
    wordsOf: ({ peopleMs }) => `runs waited ${formatMs(peopleMs)} for people`,
  },
  {
    title: 'Error rate',
    series: [{ label: 'failed runs of all', tone: 'bad', kind: 'line', figureOf: (column) => errorRate(column) }],
    format: formatShare,
    wordsOf: (column) => `${formatShare(errorRate(column))} of the runs failed`,
  },
];

export interface DashboardChartsProps {
  readonly dashboard: Dashboard;
  readonly project: string | undefined;
}

/** Draws one chart for each figure of the dashboard, over time. */
export function DashboardCharts({ dashboard, project }: DashboardChartsProps) {
  return (
    <div className="mb-5 grid gap-3 lg:grid-cols-2">
      {sketches.map((sketch) => (
        <Figure key={sketch.title} {...{ sketch, dashboard, project }} />
      ))}
    </div>
  );
}

const signs: Readonly<Record<string, string>> = {
  accent: 'bg-accent',
  bad: 'bg-bad',
  warn: 'bg-warn',
  ok: 'bg-ok',
  model: 'bg-model',
};

function Figure({ sketch, dashboard, project }: DashboardChartsProps & { readonly sketch: Sketch }) {
  const { title, format, increments } = sketch;
  const { step, columns, series } = useMemo(() => {
    const [first] = dashboard.columns;
    const step = first === undefined ? 1 : first.to - first.from;
    return {
      step,
      columns: dashboard.columns.map((column) => ({
        from: column.from,
        href: runsHref({ ...column, project }, [endedRuns]),
        words: `${momentWords(column.from, step)}: ${sketch.wordsOf(column)}`,
      })),
      series: sketch.series.map(({ figureOf, ...each }) => ({ ...each, values: dashboard.columns.map(figureOf) })),
    };
  }, [dashboard, project, sketch]);
  return (
    <figure aria-label={title} className="min-w-0 rounded-lg border bg-surface px-3 pt-2 pb-1 shadow-card">
      <figcaption className="mb-1 flex flex-wrap items-center gap-x-3 text-2xs text-muted">
        <span className="font-medium text-ink text-xs">{title}</span>
        {sketch.series.map(({ label, tone }) => (
          <span key={label} className="inline-flex items-center gap-1">
            <span aria-hidden className={classNames('size-2 rounded-xs', signs[tone])} />
            {label}
          </span>
        ))}
      </figcaption>
      <DashboardChart {...{ title, columns, step, series, format, increments }} />
    </figure>
  );
}
