/** The part of the time that is in view, in microseconds since the run's origin. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** No zoom shows less than this, because the times of events have microseconds. */
const shortest = 20;

/** Returns the end of the window of a whole run. It is a little after `now`, so that the end of the last bar is visible. */
export function wholeRun(now: number): number {
  return Math.max(now * 1.01, 1000);
}

/**
 * Zooms about a fixed point. `factor` below 1 zooms in. `at` is the place of the point, as a share of the width, 0 to 1.
 */
export function zoom(window: TimeWindow, factor: number, at: number, end: number): TimeWindow {
  const width = window.to - window.from;
  const wider = Math.min(Math.max(width * factor, shortest), Math.max(end, shortest));
  const pivot = window.from + width * at;
  return clampWindow({ from: pivot - wider * at, to: pivot + wider * (1 - at) }, end);
}

/** Moves the window by `share` of the width in view. A positive share shows later times. */
export function pan(window: TimeWindow, share: number, end: number): TimeWindow {
  const by = (window.to - window.from) * share;
  return clampWindow({ from: window.from + by, to: window.to + by }, end);
}

/** Moves the window as little as possible so that [from, to] is in view, with a margin. */
export function reveal(window: TimeWindow, from: number, to: number, end: number): TimeWindow {
  const width = window.to - window.from;
  if (from >= window.from && to <= window.to) return window;
  if (to - from >= width) return from > window.to || to < window.from ? clampWindow(around(from, width), end) : window;
  return clampWindow(around((from + to) / 2, width), end);
}

/** Turns the page, as it were, when a play-head has left the window: it then stands near the side that it comes from. */
export function follow(window: TimeWindow, moment: number, end: number): TimeWindow {
  if (moment >= window.from && moment <= window.to) return window;
  const width = window.to - window.from;
  const from = moment - width * (moment < window.from ? 0.9 : 0.1);
  return clampWindow({ from, to: from + width }, end);
}

/** Returns the window of a span with a margin of a tenth on either side. */
export function focusOn(from: number, to: number, end: number): TimeWindow {
  const air = Math.max((to - from) * 0.1, shortest / 2);
  return clampWindow({ from: from - air, to: to + air }, end);
}

/** Shifts a window into [0, end]. A wider window becomes [0, end]. */
export function clampWindow(window: TimeWindow, end: number): TimeWindow {
  const width = window.to - window.from;
  if (width >= end) return { from: 0, to: Math.max(end, shortest) };
  const from = Math.min(Math.max(window.from, 0), end - width);
  return { from, to: from + width };
}

/** The times of the ticks and the distance between them, in microseconds. */
export interface Ticks {
  readonly step: number;
  readonly at: readonly number[];
}

/**
 * Returns ticks at 1, 2 or 5 times a power of ten (of a minute or an hour for longer times), at least `apartPx` apart. `zero` is the
 * moment from which they count, as microseconds before the origin.
 */
export function ticks(window: TimeWindow, widthPx: number, apartPx: number, zero = 0): Ticks {
  const step = tickStep(((window.to - window.from) / Math.max(widthPx, 1)) * apartPx);
  return { step, at: ticksEvery(step, window, zero) };
}

/** Returns the multiples of a step in a window. */
export function ticksEvery(step: number, { from, to }: TimeWindow, zero = 0): readonly number[] {
  const at: number[] = [];
  for (let i = Math.ceil((from + zero) / step); i * step - zero <= to; i++) at.push(i * step - zero);
  return at;
}

const minute = 60_000_000;
const beyondSeconds = [1, 2, 5, 10, 20, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => minutes * minute);

/** Returns the least round step that is no shorter than `least` microseconds. */
export function tickStep(least: number): number {
  if (least > minute / 2) return beyondSeconds.find((step) => step >= least) ?? Math.ceil(least / 86_400e6) * 86_400e6;
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  const step = [1, 2, 5, 10].map((times) => times * power).find((candidate) => candidate >= least) ?? power * 10;
  return step > 20_000_000 ? Math.max(30_000_000, step === 50_000_000 ? minute : 0) : step;
}

function around(middle: number, width: number): TimeWindow {
  return { from: middle - width / 2, to: middle + width / 2 };
}

/** Writes a window for the address, as in `?t=120-3400`, in milliseconds. */
export function windowToText(window: TimeWindow): string {
  return `${shortMs(window.from)}-${shortMs(window.to)}`;
}

export function windowFromText(text: string): TimeWindow | undefined {
  const match = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(text);
  if (match === null) return undefined;
  const from = Number(match[1]) * 1000;
  const to = Number(match[2]) * 1000;
  return to > from ? { from, to } : undefined;
}

/** Writes a moment for the address, as in `?at=1250`, in milliseconds. */
export function momentToText(moment: number): string {
  return shortMs(moment);
}

export function momentFromText(text: string): number | undefined {
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : undefined;
}

function shortMs(us: number): string {
  return String(Math.round(us) / 1000);
}
