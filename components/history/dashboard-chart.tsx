'use client';

import 'uplot/dist/uPlot.min.css';
import Link from 'next/link';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { axisWords } from './dashboard-words';

/** A series of a chart: bars from the bottom, or a line with points. */
export interface ChartSeries {
  readonly label: string;
  /** The name of a colour of the theme, without `--`. */
  readonly tone: string;
  readonly kind: 'bars' | 'line';
  /** One value for each column; `undefined` where there is none. */
  readonly values: readonly (number | undefined)[];
}

/** A column of a chart, which is a link to its runs. Times are epoch milliseconds. */
export interface ChartColumn {
  readonly from: number;
  readonly href: string;
  /** What the column says, in words. */
  readonly words: string;
}

export interface DashboardChartProps {
  readonly title: string;
  readonly columns: readonly ChartColumn[];
  /** The length of a column in milliseconds. */
  readonly step: number;
  /** Later series are painted over earlier ones. */
  readonly series: readonly ChartSeries[];
  readonly format: (value: number) => string;
  /** The steps that its axis may have. By default they are 1, 2 or 5 times a power of ten. */
  readonly increments?: readonly number[] | undefined;
}

const height = 150;

/** Where columns lie, in CSS pixels of the chart. */
interface Plot {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Draws series over time. Above the drawing lies a link for each column; arrow keys go from one to the next. */
export function DashboardChart({ title, columns, step, series, format, increments }: DashboardChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const [plot, setPlot] = useState<Plot>();
  useEffect(() => {
    const target = box.current;
    if (target === null) return;
    return draw(target, { columns, step, series, format, increments }, setPlot);
  }, [columns, step, series, format, increments]);
  return (
    <div ref={box} className="relative" style={{ height }}>
      {plot !== undefined && <ColumnLinks title={title} columns={columns} plot={plot} />}
    </div>
  );
}

type Drawing = Pick<DashboardChartProps, 'columns' | 'step' | 'series' | 'format' | 'increments'>;

/** Draws into `target` until the returned function is called, again whenever its width or the theme changes. */
function draw(target: HTMLElement, drawing: Drawing, onPlot: (plot: Plot) => void): () => void {
  let chart: uPlot | undefined;
  const paint = () => {
    chart?.destroy();
    if (target.clientWidth === 0) return;
    chart = new uPlot(optionsOf(drawing, target.clientWidth), dataOf(drawing), target);
    const { left, top, width, height } = chart.bbox;
    const ratio = uPlot.pxRatio;
    onPlot({ left: left / ratio, top: top / ratio, width: width / ratio, height: height / ratio });
  };
  const size = new ResizeObserver(paint);
  size.observe(target);
  const theme = new MutationObserver(paint);
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => {
    size.disconnect();
    theme.disconnect();
    chart?.destroy();
  };
}

function dataOf({ columns, series }: Drawing): uPlot.AlignedData {
  return [columns.map(({ from }) => from / 1_000), ...series.map(({ values }) => values.map((value) => value ?? null))];
}

function optionsOf({ columns, step, series, format, increments }: Drawing, width: number): uPlot.Options {
  const colors = getComputedStyle(document.documentElement);
  const color = (name: string) => colors.getPropertyValue(`--${name}`).trim();
  const first = (columns[0]?.from ?? 0) / 1_000;
  const last = (columns.at(-1)?.from ?? 0) / 1_000;
  const half = step / 2_000;
  const axis: uPlot.Axis = {
    stroke: color('faint'),
    font: '11px "Inter Variable", system-ui, sans-serif',
    ticks: { show: false },
    grid: { stroke: color('line'), width: 1 },
  };
  return {
    width,
    height,
    legend: { show: false },
    cursor: { show: false },
    // A label of the last day needs room beside it.
    padding: [8, 20, 0, 0],
    tzDate: (at) => uPlot.tzDate(new Date(at * 1_000), 'Etc/UTC'),
    scales: {
      x: { range: [first - half, last + half] },
      y: { range: (_chart, _min, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        ...{ grid: { show: false }, size: 24, space: 60 },
        values: (_chart, ticks) => ticks.map((tick) => axisWords(tick * 1_000)),
      },
      {
        ...axis,
        ...{ size: 58, space: 26, ...(increments && { incrs: [...increments] }) },
        values: (_chart, ticks) => ticks.map((tick) => (tick === 0 ? '0' : format(tick))),
      },
    ],
    series: [{}, ...series.map((each) => seriesOf(each, color(each.tone)))],
  };
}

function seriesOf({ label, kind }: ChartSeries, stroke: string): uPlot.Series {
  if (kind === 'line')
    return { label, stroke, width: 1.5, spanGaps: false, points: { show: true, size: 5, fill: stroke } };
  const paths = uPlot.paths.bars?.({ size: [0.7, 28], radius: 0.1 });
  return { label, stroke, fill: stroke, width: 0, points: { show: false }, ...(paths && { paths }) };
}

interface ColumnLinksProps {
  readonly title: string;
  readonly columns: readonly ChartColumn[];
  readonly plot: Plot;
}

function ColumnLinks({ title, columns, plot }: ColumnLinksProps) {
  const row = useRef<HTMLElement>(null);
  const [focused, setFocused] = useState(columns.length - 1);
  const stop = Math.min(focused, columns.length - 1);
  const walk = (event: KeyboardEvent) => {
    const next = { ArrowLeft: stop - 1, ArrowRight: stop + 1, Home: 0, End: columns.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    row.current?.querySelectorAll('a')[Math.min(Math.max(0, next), columns.length - 1)]?.focus();
  };
  return (
    <nav ref={row} aria-label={`${title}: columns`} onKeyDown={walk} className="absolute flex" style={{ ...plot }}>
      {columns.map(({ from, href, words }, index) => (
        <Link
          key={from}
          href={href}
          prefetch={false}
          tabIndex={index === stop ? 0 : -1}
          onFocus={() => setFocused(index)}
          aria-label={`${title}, ${words}. Show these runs`}
          title={words}
          className="h-full min-w-0 flex-1 rounded-sm hover:bg-ink/8 focus-visible:-outline-offset-1"
        />
      ))}
    </nav>
  );
}
