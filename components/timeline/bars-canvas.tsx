'use client';

import { lazy, type PointerEvent, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import type { Rows } from '@/lib/trace/lanes';
import type { Trace } from '@/lib/trace/trace';
import { spanAt } from './hit-test';
import { paintBars, type Scene } from './paint-bars';
import { axisPx, paintAxis, paintLabels } from './paint-labels';
import type { Palette } from './palette';
import { PixelBars } from './pixel-bars';
import { PlayHead } from './play-head';
import { clampWindow, pan, type TimeWindow, ticks, wholeRun, zoom } from './time-window';
import { useSize } from './use-size';

const HoverTip = lazy(async () => ({ default: (await import('./tooltip')).HoverTip }));

export interface BarsCanvasProps {
  readonly trace: Trace;
  readonly rows: Rows;
  readonly now: () => number;
  readonly live: boolean;
  readonly window: TimeWindow | undefined;
  readonly onWindow: (window: TimeWindow | undefined) => void;
  readonly onSelect: (span: number | undefined) => void;
  readonly onZoomTo: (span: number) => void;
  readonly selected: number | undefined;
  readonly activeLane: number | undefined;
  readonly moment: number | undefined;
  /** Undefined: no moment can be chosen. */
  readonly onMoment: ((moment: number) => void) | undefined;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly scrollTop: number;
  readonly palette: Palette | undefined;
  readonly font: string;
}

/** A pointer that has moved further than this drags; one that has not, clicks. CSS pixels. */
const clickPx = 4;
const tickApartPx = 96;

interface Hover {
  readonly span: number;
  readonly x: number;
  readonly y: number;
}

/** Owns device pixels, frames, wheel and pointer; what is painted is `paintBars` and `paintLabels`. */
export function BarsCanvas(props: BarsCanvasProps) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const axis = useRef<HTMLCanvasElement>(null);
  const size = useSize(box);
  const [hover, setHover] = useState<Hover | undefined>(undefined);
  const latest = useRef({ ...props, size, hovered: hover?.span });
  latest.current = { ...props, size, hovered: hover?.span };
  const drag = useRef<{ x: number; y: number; window: TimeWindow; scrollTop: number; moved: boolean } | undefined>(
    undefined,
  );
  const { live, scroller } = props;

  // Any new prop asks for one frame; while the run is live frames follow each other, and those that would show nothing
  // new are skipped.
  const frame = useRef(0);
  const bars = useRef<PixelBars | undefined>(undefined);
  const painted = useRef('');
  const dirty = useRef(true);
  useEffect(() => {
    const paint = () => {
      frame.current = 0;
      const view = latest.current;
      const scene = sceneOf(view);
      const key = `${view.trace.version} ${Math.floor(view.now() / perPx(scene))}`;
      if (
        scene !== undefined &&
        view.palette !== undefined &&
        (!view.live || key !== painted.current || dirty.current)
      ) {
        painted.current = key;
        dirty.current = false;
        bars.current ??= new PixelBars(view.palette.words);
        paintAll(scene, view, bars.current, canvas.current, axis.current);
      }
      if (latest.current.live) frame.current = requestAnimationFrame(paint);
    };
    dirty.current = true;
    if (frame.current === 0) frame.current = requestAnimationFrame(paint);
  });
  useEffect(
    () => () => {
      cancelAnimationFrame(frame.current);
      frame.current = 0;
    },
    [],
  );

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      const view = latest.current;
      const end = wholeRun(view.now());
      const window = view.window ?? { from: 0, to: end };
      const left = element.getBoundingClientRect().left;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const at = (event.clientX - left) / Math.max(view.size.width, 1);
        const next = zoom(window, Math.exp(Math.max(-1, Math.min(1, event.deltaY / 200))), at, end);
        view.onWindow(next.to - next.from >= end * 0.999 ? undefined : next);
        return;
      }
      const sideways = event.shiftKey ? event.deltaY : event.deltaX;
      if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
        event.preventDefault();
        if (view.window !== undefined) view.onWindow(pan(window, sideways / Math.max(view.size.width, 1), end));
      }
    };
    // React's own wheel listeners are passive: they could not keep the page from zooming.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, []);

  const pointAt = (event: PointerEvent) => {
    const rect = canvas.current?.getBoundingClientRect();
    return { x: event.clientX - (rect?.left ?? 0), y: event.clientY - (rect?.top ?? 0) };
  };
  const spanUnder = (event: PointerEvent) => {
    const scene = sceneOf(latest.current);
    const { x, y } = pointAt(event);
    return scene === undefined || y < 0 ? undefined : spanAt(scene, x, y);
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const window = props.window ?? { from: 0, to: wholeRun(props.now()) };
    drag.current = {
      x: event.clientX,
      y: event.clientY,
      window,
      scrollTop: scroller.current?.scrollTop ?? 0,
      moved: false,
    };
  };
  const onPointerMove = (event: PointerEvent) => {
    const held = drag.current;
    if (held === undefined) {
      const span = spanUnder(event);
      setHover(span === undefined ? undefined : { span, x: event.clientX, y: event.clientY });
      return;
    }
    const dx = event.clientX - held.x;
    const dy = event.clientY - held.y;
    if (!held.moved && Math.hypot(dx, dy) < clickPx) return;
    if (!held.moved) event.currentTarget.setPointerCapture(event.pointerId);
    held.moved = true;
    setHover(undefined);
    if (event.pointerType !== 'touch' && scroller.current !== null) scroller.current.scrollTop = held.scrollTop - dy;
    if (props.window === undefined) return;
    const perPixel = (held.window.to - held.window.from) / Math.max(size.width, 1);
    const { from, to } = held.window;
    props.onWindow(clampWindow({ from: from - dx * perPixel, to: to - dx * perPixel }, wholeRun(props.now())));
  };
  const onPointerUp = (event: PointerEvent) => {
    const held = drag.current;
    drag.current = undefined;
    if (held !== undefined && !held.moved) props.onSelect(spanUnder(event));
  };

  const height = Math.max(size.height - axisPx, 0);
  const label = `Bars of ${props.trace.spans.length} spans. Arrow keys in the list of instances walk them; the table shows them as text.`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a pointer's short cut to what the tree of instances does by keys
    <div
      ref={box}
      className="relative min-w-0 flex-1 touch-pan-y select-none overflow-hidden"
      style={{ cursor: hover === undefined ? (props.window === undefined ? 'default' : 'grab') : 'pointer' }}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => {
        drag.current = undefined;
      }}
      onPointerLeave={() => setHover(undefined)}
      onDoubleClick={() => {
        if (hover !== undefined) props.onZoomTo(hover.span);
      }}
    >
      <canvas ref={axis} aria-hidden className="block border-b" style={{ width: size.width, height: axisPx }} />
      <canvas ref={canvas} role="img" aria-label={label} className="block" style={{ width: size.width, height }} />
      {props.onMoment !== undefined && (
        <PlayHead
          moment={props.moment}
          onMoment={props.onMoment}
          view={() => latest.current.window ?? { from: 0, to: wholeRun(latest.current.now()) }}
          now={props.now}
          live={live}
        />
      )}
      {hover !== undefined && hover.span < props.trace.spans.length && (
        <Suspense fallback={null}>
          <HoverTip
            trace={props.trace}
            span={hover.span}
            now={props.now()}
            end={Math.max(live ? props.now() : props.trace.lastAt, 1)}
            x={hover.x}
            y={hover.y}
          />
        </Suspense>
      )}
    </div>
  );
}

type View = BarsCanvasProps & {
  readonly size: { width: number; height: number };
  readonly hovered: number | undefined;
};

function sceneOf(view: View): Scene | undefined {
  const height = view.size.height - axisPx;
  if (view.size.width < 1 || height < 1) return undefined;
  const now = view.now();
  const window = view.window ?? { from: 0, to: wholeRun(now) };
  return {
    trace: view.trace,
    rows: view.rows,
    window,
    now,
    width: view.size.width,
    height,
    scrollTop: view.scroller.current?.scrollTop ?? view.scrollTop,
    dpr: devicePixelRatio,
    selected: view.selected,
    hovered: view.hovered,
    activeLane: view.activeLane,
    ticks: ticks(window, view.size.width, tickApartPx).at,
  };
}

function perPx(scene: Scene | undefined): number {
  return scene === undefined ? 1 : Math.max((scene.window.to - scene.window.from) / scene.width / scene.dpr, 1);
}

function paintAll(
  scene: Scene,
  view: View,
  bars: PixelBars,
  canvas: HTMLCanvasElement | null,
  axis: HTMLCanvasElement | null,
): void {
  const context = canvas?.getContext('2d', { alpha: false });
  const pen = axis?.getContext('2d');
  const { palette } = view;
  if (!context || canvas === null || !pen || axis === null || palette === undefined) return;
  const { dpr } = scene;
  fitCanvas(canvas, scene.width, scene.height, dpr);
  fitCanvas(axis, scene.width, axisPx, dpr);
  bars.begin(canvas.width, canvas.height, palette.words);
  const painted = paintBars(bars, scene);
  bars.flush(context);
  context.setTransform(dpr, 0, 0, dpr, 0, 0);
  paintLabels(context, scene, painted, palette, view.font);
  pen.setTransform(dpr, 0, 0, dpr, 0, 0);
  const shown = { window: scene.window, width: scene.width, height: axisPx, now: view.live ? scene.now : undefined };
  paintAxis(pen, shown, ticks(scene.window, scene.width, tickApartPx), scene.trace, palette, view.font);
}

function fitCanvas(canvas: HTMLCanvasElement, width: number, height: number, dpr: number): void {
  const wide = Math.round(width * dpr);
  const high = Math.round(height * dpr);
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
}
