'use client';

import { type KeyboardEvent, useRef, useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import type { RunChart as Chart, ChartColumn } from '@/lib/trace/run-chart';
import { formatCount, formatDuration } from '@/lib/trace/wording';

export interface RunChartProps {
  readonly chart: Chart;
  /** Limits the list to runs that were started in a column. */
  readonly onChoose: (column: ChartColumn) => void;
}

/**
 * Shows durations above and numbers of runs below, over the time of their start. A click on a column, or Enter, limits the list to
 * it. The same figures are a table below.
 */
export function RunChart({ chart, onChoose }: RunChartProps) {
  const { columns, isCut } = chart;
  const [focused, setFocused] = useState(columns.length - 1);
  const row = useRef<HTMLDivElement>(null);
  const at = Math.min(Math.max(0, focused), columns.length - 1);
  const scale = scaleOf(columns);
  const total = columns.reduce((sum, { runs }) => sum + runs, 0);
  const walk = (event: KeyboardEvent) => {
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: columns.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const index = Math.min(Math.max(0, next), columns.length - 1);
    setFocused(index);
    row.current?.querySelectorAll('button')[index]?.focus();
  };
  if (columns.length === 0) return null;
  return (
    <figure aria-label="Runs over time" className="mb-4 rounded-lg border bg-surface px-3 pt-2 pb-1.5 shadow-card">
      <figcaption className="mb-1 flex flex-wrap items-center gap-x-4 gap-y-0.5 text-2xs text-muted">
        <span className="font-medium text-ink text-xs">
          {isCut ? 'The newest ' : ''}
          {total.toLocaleString('en-US')} {total === 1 ? 'run' : 'runs'} over time
        </span>
        <Sign className="size-1.5 rounded-full bg-accent">median duration</Sign>
        <Sign className="h-2.5 w-px bg-faint">to the 95th percentile</Sign>
        <Sign className="h-2.5 w-1.5 rounded-t-[1px] bg-line-strong">runs</Sign>
        <Sign className={classNames('h-2.5 w-1.5', failedLook)}>failed</Sign>
      </figcaption>
      <div className="flex h-20">
        <Axis scale={scale} />
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, and these buttons are a chart */}
        <div
          ref={row}
          role="group"
          aria-label="Columns of the chart"
          onKeyDown={walk}
          className="flex min-w-0 flex-1 items-stretch"
        >
          {columns.map((column, index) => (
            <Column
              key={column.from}
              {...{ column, scale }}
              isStop={index === at}
              onFocus={() => setFocused(index)}
              onChoose={() => onChoose(column)}
            />
          ))}
        </div>
      </div>
      {/* The first and the last moment stand below the outer edges of the first and the last column. */}
      <div aria-hidden className="mt-1 ml-12 flex justify-between gap-2 border-t pt-1 text-2xs text-faint tabular-nums">
        <span>{momentWord(columns[0]?.from ?? 0)}</span>
        <span>{momentWord(columns.at(-1)?.to ?? 0)}</span>
      </div>
      <ChartTable columns={columns} onChoose={onChoose} />
    </figure>
  );
}

/** The durations of the highest and the lowest mark, each at its height, and the number of runs that the highest bar stands for. */
function Axis({ scale }: { readonly scale: Scale }) {
  const ticks = [...new Set([scale.shortest, scale.longest])].filter((ms) => ms > 0);
  return (
    <div aria-hidden className="flex w-12 shrink-0 flex-col pr-1.5 text-right text-2xs text-faint tabular-nums">
      <div className="relative flex-[3]">
        {ticks.map((ms) => (
          <span
            key={ms}
            className="absolute right-0 translate-y-1/2 whitespace-nowrap leading-none"
            style={{ bottom: `${scale.heightOf(ms)}%` }}
          >
            {formatDuration(ms * 1_000)}
          </span>
        ))}
      </div>
      <span className="flex-[2] pt-1.5 leading-none" title="Runs of the highest bar">
        {formatCount(scale.most)}
      </span>
    </div>
  );
}

const failedLook =
  'bg-bad [background-image:repeating-linear-gradient(45deg,transparent_0_2px,var(--surface)_2px_3px)]';

function Sign({ className, children }: { readonly className: string; readonly children: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      <span aria-hidden className={classNames('inline-block', className)} />
      {children}
    </span>
  );
}

interface Scale {
  readonly most: number;
  readonly longest: number;
  readonly shortest: number;
  /** Returns the height of a duration in per cent. The scale is logarithmic, because durations differ by orders of magnitude. */
  readonly heightOf: (ms: number) => number;
}

function scaleOf(columns: readonly ChartColumn[]): Scale {
  const durations = columns.flatMap(({ p50 = [], p95 = [] }) => [p50, p95].flat());
  const longest = durations.reduce((most, each) => Math.max(most, each), 0);
  const shortest = durations.reduce((least, each) => Math.min(least, each), longest);
  const [low, high] = [Math.log1p(shortest), Math.log1p(longest)];
  return {
    most: columns.reduce((most, { runs }) => Math.max(most, runs), 1),
    longest,
    shortest,
    heightOf: (ms) => (high - low < 0.01 ? 50 : 8 + ((Math.log1p(ms) - low) / (high - low)) * 84),
  };
}

interface ColumnProps {
  readonly column: ChartColumn;
  readonly scale: Scale;
  /** True for the one column that Tab reaches. */
  readonly isStop: boolean;
  readonly onFocus: () => void;
  readonly onChoose: () => void;
}

function Column({ column, scale, isStop, onFocus, onChoose }: ColumnProps) {
  const { runs, failed, p50, p95 } = column;
  const words = columnWords(column);
  return (
    <button
      type="button"
      tabIndex={isStop ? 0 : -1}
      aria-label={`${words}. Show only these`}
      title={words}
      onFocus={onFocus}
      onClick={onChoose}
      disabled={runs === 0}
      className="flex min-w-0 flex-1 cursor-pointer flex-col items-center rounded-sm px-px enabled:hover:bg-hover focus-visible:outline-offset-0 disabled:cursor-default"
    >
      <span className="relative w-full flex-[3]">
        {p50 !== undefined && p95 !== undefined && (
          <>
            <span
              className="absolute left-1/2 w-px bg-faint"
              style={{ bottom: `${scale.heightOf(p50)}%`, height: `${scale.heightOf(p95) - scale.heightOf(p50)}%` }}
            />
            <span
              className="absolute left-1/2 size-1.5 -translate-x-1/2 translate-y-1/2 rounded-full bg-accent"
              style={{ bottom: `${scale.heightOf(p50)}%` }}
            />
          </>
        )}
      </span>
      <span className="flex w-full max-w-3 flex-[2] flex-col justify-end">
        <span className="w-full rounded-t-[1px] bg-line-strong" style={barHeight(runs - failed, scale.most)} />
        <span className={classNames('w-full', failedLook)} style={barHeight(failed, scale.most)} />
      </span>
    </button>
  );
}

function barHeight(runs: number, most: number) {
  return runs === 0 ? { height: 0 } : { height: `${(runs / most) * 100}%`, minHeight: 2 };
}

function columnWords({ from, to, runs, failed, active, p50, p95 }: ChartColumn): string {
  const parts = [`${runs.toLocaleString('en-US')} ${runs === 1 ? 'run' : 'runs'}`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (active > 0) parts.push(`${active} active`);
  if (p50 !== undefined && p95 !== undefined) {
    parts.push(`median ${formatDuration(p50 * 1_000)}, 95th percentile ${formatDuration(p95 * 1_000)}`);
  }
  return `${momentWord(from)} to ${momentWord(to)}: ${parts.join(', ')}`;
}

function momentWord(at: number): string {
  const form = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  const { second, ...short } = form;
  return new Date(at).toLocaleString('en-GB', at % 60_000 === 0 ? short : form);
}

function ChartTable({
  columns,
  onChoose,
}: {
  readonly columns: readonly ChartColumn[];
  readonly onChoose: RunChartProps['onChoose'];
}) {
  return (
    <details className="text-xs">
      <summary className="w-fit cursor-pointer rounded text-2xs text-muted hover:text-ink">Show as table</summary>
      <div className="mt-1 max-h-72 overflow-auto">
        <table className="w-full text-left tabular-nums">
          <thead className="text-muted">
            <tr className="[&>th]:py-1 [&>th]:pr-3 [&>th]:font-medium">
              <th scope="col">Started</th>
              <th scope="col">Runs</th>
              <th scope="col">Failed</th>
              <th scope="col">Median</th>
              <th scope="col">95 %</th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column) =>
              column.runs === 0 ? null : (
                <tr key={column.from} className="border-t [&>td]:py-1 [&>td]:pr-3">
                  <td>
                    <button
                      type="button"
                      onClick={() => onChoose(column)}
                      className="cursor-pointer whitespace-nowrap text-accent underline-offset-2 hover:underline"
                    >
                      {momentWord(column.from)}
                    </button>
                  </td>
                  <td>{column.runs}</td>
                  <td>{column.failed}</td>
                  <td className="whitespace-nowrap">{durationWord(column.p50)}</td>
                  <td className="whitespace-nowrap">{durationWord(column.p95)}</td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function durationWord(ms: number | undefined): string {
  return ms === undefined ? '–' : formatDuration(ms * 1_000);
}
