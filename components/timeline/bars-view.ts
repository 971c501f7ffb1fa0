import type { RefObject } from 'react';
import type { SpanPick } from '@/lib/trace/find-spans';
import type { Rows } from '@/lib/trace/lanes';
import type { Trace } from '@/lib/trace/trace';
import { clockZero } from './clock-words';
import { paintBars, type Scene } from './paint-bars';
import { paintAxis, paintLabels } from './paint-labels';
import type { Palette } from './palette';
import type { PixelBars } from './pixel-bars';
import type { SpanMark } from './span-marks';
import { type TimeScale, ticksOf } from './time-scale';
import type { TimeWindow } from './time-window';
import { axisPx } from './timeline-height';

export interface BarsCanvasProps {
  readonly trace: Trace;
  readonly rows: Rows;
  readonly now: () => number;
  readonly extent: (() => number) | undefined;
  readonly live: boolean;
  readonly window: TimeWindow | undefined;
  readonly onWindow: (window: TimeWindow | undefined) => void;
  readonly onSelect: (span: number | undefined) => void;
  /** Opens the menu of a bar at a place in the browser window. */
  readonly onMenu: ((span: number, x: number, y: number) => void) | undefined;
  readonly onZoomTo: (spans: readonly number[]) => void;
  readonly selected: number | undefined;
  readonly activeLane: number | undefined;
  readonly highlight: SpanPick | undefined;
  readonly spanMarks: readonly SpanMark[] | undefined;
  readonly moment: number | undefined;
  /** `undefined` if the play-head cannot be set. */
  readonly onMoment: ((moment: number) => void) | undefined;
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** How far the rows are scrolled now. To ask the element for it would make the browser lay the page out in every frame. */
  readonly scrolled: RefObject<number>;
  readonly scrollTop: number;
  readonly scale: TimeScale;
  readonly palette: Palette | undefined;
  readonly font: string;
  /** The axis has the clock instead of the time since the start. */
  readonly hasClock: boolean;
}

const tickApartPx = 96;

/** The input of one frame: the props, the size of the box in CSS pixels and the bar under the pointer. */
export type BarsView = BarsCanvasProps & {
  readonly size: { width: number; height: number };
  readonly hovered: number | undefined;
};

export function sceneOf(view: BarsView): Scene | undefined {
  const height = view.size.height - axisPx;
  if (view.size.width < 1 || height < 1) return undefined;
  const now = view.now();
  const window = windowOfView(view);
  return {
    trace: view.trace,
    rows: view.rows,
    window,
    scale: view.scale,
    now,
    width: view.size.width,
    height,
    scrollTop: view.scrolled.current,
    dpr: devicePixelRatio,
    selected: view.selected,
    hovered: view.hovered,
    activeLane: view.activeLane,
    highlight: view.highlight,
    spanMarks: view.spanMarks,
    ticks: ticksOf(window, view.scale, view.size.width, tickApartPx, zeroOf(view)),
  };
}

/** Returns what ticks count from if the axis has the clock. */
function zeroOf({ hasClock, trace }: BarsView): number | undefined {
  return hasClock && trace.origin !== undefined ? clockZero(trace.origin) : undefined;
}

/** Returns what is in view: the chosen part, or the whole run. */
export function windowOfView({ window, scale, now, extent = now }: BarsView): TimeWindow {
  return window ?? { from: 0, to: scale.whole(extent()) };
}

/** Returns the microseconds of one device pixel where time is drawn as it was. */
export function perPx(scene: Scene | undefined): number {
  return scene === undefined
    ? 1
    : Math.max(
        (scene.scale.drawn(scene.window.to) - scene.scale.drawn(scene.window.from)) / scene.width / scene.dpr,
        1,
      );
}

/** Paints bars and words on one canvas, and the ruler on the other. */
export function paintAll(
  scene: Scene,
  view: BarsView,
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
  pen.clearRect(0, 0, scene.width, axisPx);
  const now = view.live && view.moment === undefined ? scene.now : undefined;
  paintAxis(pen, { scene, height: axisPx, now, zero: zeroOf(view) }, palette, view.font);
}

function fitCanvas(canvas: HTMLCanvasElement, width: number, height: number, dpr: number): void {
  const wide = Math.round(width * dpr);
  const high = Math.round(height * dpr);
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
}
