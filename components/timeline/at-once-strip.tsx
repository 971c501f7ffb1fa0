'use client';

import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTick } from '@/components/ui/use-tick';
import { type AtOnceColumns, type AtOnceSteps, atOnceColumns, atOnceKinds, atOnceSteps } from '@/lib/trace/at-once';
import type { Trace } from '@/lib/trace/trace';
import type { Paint, Palette } from './palette';
import { TimeAxis, type TimeScale } from './time-scale';
import type { TimeWindow } from './time-window';
import { useSize } from './use-size';

export interface AtOnceStripProps {
  readonly trace: Trace;
  readonly version: number;
  readonly palette: Palette | undefined;
  /** The time in view; `undefined` for the whole run. */
  readonly window: TimeWindow | undefined;
  /** Returns the end of the whole run in view. */
  readonly end: () => number;
  readonly live: boolean;
  /** Returns the time to which open bars reach. */
  readonly now: () => number;
  readonly scale: TimeScale;
  /** The box with the rows, whose scroll bar takes room that the strip leaves free. */
  readonly scroller: RefObject<HTMLElement | null>;
}

const atOncePx = 22;
/** The strip of a run that goes on is painted this often, also if nothing happens. */
const tickMs = 250;
const paints: Readonly<Record<(typeof atOnceKinds)[number], Paint>> = {
  model: 'model',
  tool: 'mcp',
  waiting: 'queuedEdge',
};

/** Shows how many model calls and tools ran at once, and how many instances waited, over the time in view. */
export function AtOnceStrip(props: AtOnceStripProps) {
  const { trace, version, palette, window, end, now, live, scale, scroller } = props;
  useTick(live, tickMs);
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { width: all } = useSize(box);
  const steps = useSteps(trace, version);
  const [free, setFree] = useState(0);
  const width = Math.max(all - free, 0);
  const words = useRef<HTMLSpanElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a scroll bar comes and goes with the size and the rows
  useEffect(() => {
    if (scroller.current !== null) setFree(scroller.current.offsetWidth - scroller.current.clientWidth);
  }, [scroller, all, steps]);

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || canvas.current === null || palette === undefined || width < 1 || steps === undefined) return;
    const wide = Math.round(width * devicePixelRatio);
    const high = Math.round(atOncePx * devicePixelRatio);
    if (canvas.current.width !== wide) canvas.current.width = wide;
    if (canvas.current.height !== high) canvas.current.height = high;
    const shown = window ?? { from: 0, to: end() };
    const axis = new TimeAxis(shown, wide, scale);
    const columns = atOnceColumns(steps, { ...shown, now: now(), edge: (column) => axis.time(column) }, wide);
    paint(context, columns, palette);
    const waiting = columns.counts.waiting.reduce((most, count) => Math.max(most, count), 0);
    const text = `${columns.most} at most${waiting > 0 ? `, ${waiting} waiting` : ''}`;
    if (words.current !== null && words.current.textContent !== text) words.current.textContent = text;
  });
  return (
    <div
      className="flex shrink-0 border-b"
      title="Model calls and tools at once in the time below, and instances that wait"
    >
      <div className="flex w-32 shrink-0 items-center gap-2 overflow-hidden whitespace-nowrap border-r px-3 text-2xs text-faint @2xl:w-64">
        At once
        <span ref={words} className="text-muted tabular-nums @max-2xl:hidden" />
      </div>
      <div ref={box} className="relative min-w-0 flex-1 overflow-hidden" style={{ height: atOncePx }}>
        <canvas ref={canvas} aria-hidden className="absolute inset-y-0 left-0" style={{ width, height: atOncePx }} />
      </div>
    </div>
  );
}

/** The steps may take this share of the time while the run changes, because their cost grows with the run. */
const mostOfTime = 1 / 40;
const leastRestMs = 1_000;
const longestWaitMs = 1_000;

/** Returns the steps of a trace, made when the page has nothing else to do, and a little behind while the run changes. */
function useSteps(trace: Trace, version: number): AtOnceSteps | undefined {
  const [steps, setSteps] = useState<AtOnceSteps | undefined>(undefined);
  const latest = useRef(trace);
  latest.current = trace;
  const maker = useRef<{ readonly want: () => void; readonly stop: () => void }>(undefined);
  useEffect(() => {
    const made = makerOf(() => setSteps(atOnceSteps(latest.current)));
    maker.current = made;
    return made.stop;
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  useEffect(() => maker.current?.want(), [trace, version]);
  return steps;
}

/** Calls `make` in idle time, once for all calls of `want` until then, and rests afterwards. */
function makerOf(make: () => void): { readonly want: () => void; readonly stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let idle = 0;
  let restUntil = 0;
  const makeNow = () => {
    timer = undefined;
    const began = performance.now();
    make();
    const ended = performance.now();
    restUntil = ended + Math.max(leastRestMs, (ended - began) / mostOfTime);
  };
  const whenIdle = () => {
    if ('requestIdleCallback' in globalThis) idle = requestIdleCallback(makeNow, { timeout: longestWaitMs });
    else makeNow();
  };
  return {
    want() {
      timer ??= setTimeout(whenIdle, Math.max(0, restUntil - performance.now()));
    },
    stop() {
      clearTimeout(timer);
      if (idle !== 0) cancelIdleCallback(idle);
    },
  };
}

function paint(context: CanvasRenderingContext2D, { counts, highest }: AtOnceColumns, { css }: Palette): void {
  const { width, height } = context.canvas;
  context.clearRect(0, 0, width, height);
  const per = (height - 2) / highest;
  const below = new Float64Array(width);
  for (const kind of atOnceKinds) {
    context.fillStyle = css[paints[kind]];
    // Columns of one height are one rectangle.
    for (let x = 0, from = 0; x < width; x++) {
      const same = counts[kind][x + 1] === counts[kind][x] && below[x + 1] === below[x];
      if (same && x + 1 < width) continue;
      const count = counts[kind][x] ?? 0;
      const base = below[x] ?? 0;
      if (count > 0) context.fillRect(from, height - (base + count) * per, x + 1 - from, count * per);
      from = x + 1;
    }
    for (let x = 0; x < width; x++) below[x] = (below[x] ?? 0) + (counts[kind][x] ?? 0);
  }
}
