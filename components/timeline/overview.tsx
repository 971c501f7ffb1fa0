'use client';

import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import type { Trace } from '@/lib/trace/trace';
import { type Activity, activityPaints, measureActivity } from './activity';
import type { Palette } from './palette';
import { TimeAxis, type TimeScale } from './time-scale';
import { clampWindow, type TimeWindow } from './time-window';
import { useSize } from './use-size';

export interface OverviewProps {
  readonly trace: Trace;
  readonly version: number;
  readonly palette: Palette | undefined;
  /** Returns the length of the run so far, in microseconds. */
  readonly end: () => number;
  /** While it is true, the strip is painted in frames, as the bars are. */
  readonly live: boolean;
  /** `undefined` means that all of the run is in view. */
  readonly window: TimeWindow | undefined;
  readonly onWindow: (window: TimeWindow | undefined) => void;
  readonly moment: number | undefined;
  /** Returns the time to which open bars reach. */
  readonly now: () => number;
  readonly scale: TimeScale;
}

const heightPx = 36;

/**
 * Shows the whole run in a strip: how many model and tool calls ran at each time, and the part that the bars below show.
 */
export function Overview(props: OverviewProps) {
  const { end, window, onWindow, moment, scale } = props;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width } = useSize(box);
  const grip = useRef<{ kind: 'new' | 'from' | 'to' | 'move'; at: number; window: TimeWindow } | undefined>(undefined);

  useActivityPicture(props, canvas, width);
  const axis = () => new TimeAxis({ from: 0, to: end() }, Math.max(width, 1), scale);

  const apart = (a: number, b: number) => Math.abs(axis().x(a) - axis().x(b));
  const timeAt = (event: PointerEvent) => {
    const left = box.current?.getBoundingClientRect().left ?? 0;
    return Math.min(Math.max(axis().time(event.clientX - left), 0), end());
  };
  const onPointerDown = (event: PointerEvent) => {
    const at = timeAt(event);
    const near = (edge: number | undefined) => edge !== undefined && apart(at, edge) < nearPx;
    const kind = near(window?.from) ? 'from' : near(window?.to) ? 'to' : inside(window, at) ? 'move' : 'new';
    grip.current = { kind, at, window: window ?? { from: 0, to: end() } };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent) => {
    const held = grip.current;
    if (held === undefined) return;
    const at = timeAt(event);
    const by = scale.drawn(at) - scale.drawn(held.at);
    if (held.kind === 'move')
      onWindow(
        scale.change(held.window, end(), ({ from, to }, all) => clampWindow({ from: from + by, to: to + by }, all)),
      );
    else {
      const { from, to } = held.window;
      const fixed = held.kind === 'new' ? held.at : held.kind === 'from' ? to : from;
      if (apart(at, fixed) > 1) onWindow({ from: Math.min(at, fixed), to: Math.max(at, fixed) });
    }
  };
  const percent = (time: number) => (axis().x(time) / Math.max(width, 1)) * 100;
  const left = window === undefined ? 0 : percent(window.from);
  const right = window === undefined ? 100 : Math.min(percent(window.to), 100);
  return (
    <div
      ref={box}
      aria-hidden
      title="Drag to look at a part. Double click for all."
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        grip.current = undefined;
      }}
      onDoubleClick={() => onWindow(undefined)}
      className="relative min-w-0 flex-1 cursor-crosshair touch-none select-none overflow-hidden bg-surface"
      style={{ height: heightPx }}
    >
      <canvas ref={canvas} className="absolute inset-0 size-full" />
      {moment !== undefined && (
        <div className="absolute inset-y-0 w-px bg-accent" style={{ left: `${percent(moment)}%` }} />
      )}
      {window !== undefined && (
        <>
          <div className="absolute inset-y-0 left-0 bg-ground opacity-70" style={{ width: `${left}%` }} />
          <div className="absolute inset-y-0 right-0 bg-ground opacity-70" style={{ width: `${100 - right}%` }} />
          <div
            className="absolute inset-y-0 cursor-grab border-accent border-x-2"
            style={{ left: `${left}%`, width: `max(${right - left}%, 4px)` }}
          />
        </>
      )}
    </div>
  );
}

/** Paints the strip when it changes, and in frames while the run goes on. */
function useActivityPicture(
  { trace, version, palette, end, now, live, scale }: OverviewProps,
  canvas: RefObject<HTMLCanvasElement | null>,
  width: number,
): void {
  const latest = useRef({ trace, end, now, scale });
  latest.current = { trace, end, now, scale };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the trace changes in place; its version says when
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || canvas.current === null || palette === undefined || width === 0) return;
    const dpr = devicePixelRatio;
    canvas.current.width = Math.round(width * dpr);
    canvas.current.height = Math.round(heightPx * dpr);
    paintActivity(context, activityOf(latest.current, canvas.current.width), palette);
  }, [trace, live ? undefined : version, palette, width, scale]);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!live || !context || palette === undefined || width === 0) return;
    return followLive(context, palette, latest);
  }, [canvas, live, palette, width]);
}

/** The strip takes at most this part of the time, because its cost grows with the run. */
const mostOfTime = 1 / 8;

/** Paints the strip in frames while the run goes on. Returns a function that stops it. */
function followLive(context: CanvasRenderingContext2D, palette: Palette, latest: RefObject<Measured>): () => void {
  let painted = '';
  let notBefore = 0;
  const paint = (at: number) => {
    frame = requestAnimationFrame(paint);
    const { trace, end, scale } = latest.current;
    const key = `${trace.version} ${Math.floor(scale.drawn(end()) / 16_000)}`;
    if (at < notBefore || key === painted) return;
    painted = key;
    const begun = performance.now();
    paintActivity(context, activityOf(latest.current, context.canvas.width), palette);
    const ended = performance.now();
    notBefore = ended + (ended - begun) / mostOfTime;
  };
  let frame = requestAnimationFrame(paint);
  return () => cancelAnimationFrame(frame);
}

type Measured = Pick<OverviewProps, 'trace' | 'end' | 'now' | 'scale'>;

function activityOf({ trace, end, now, scale }: Measured, width: number): Activity {
  return measureActivity(trace, end(), width, now(), scale);
}

/** A pointer that is at most so many pixels away holds an edge. */
const nearPx = 6;

function inside(window: TimeWindow | undefined, at: number): boolean {
  return window !== undefined && at > window.from && at < window.to;
}

function paintActivity(context: CanvasRenderingContext2D, activity: Activity, { css }: Palette): void {
  const { width, height } = context.canvas;
  context.clearRect(0, 0, width, height);
  const perStep = (height - 6) / activity.highest;
  for (let x = 0; x < width; x++) {
    let top = height;
    for (const paint of activityPaints) {
      const steps = Math.round((activity.counts[paint][x] ?? 0) * perStep);
      if (steps === 0) continue;
      top -= steps;
      context.fillStyle = css[paint];
      context.fillRect(x, top, 1, steps);
    }
  }
  context.fillStyle = css.bad;
  const mark = 3 * devicePixelRatio;
  for (let x = 0; x < width; x++) if (activity.failed[x] === 1) context.fillRect(x - mark / 2, 0, mark, mark);
}
