import { kindCodes, statusCodes } from '@/lib/trace/span';
import { toolSources } from '@/lib/trace/span-table';
import { delegationPx } from './bar-place';
import { dimmed, type Paint, paintIndex } from './palette';

export interface BarSink {
  /**
   * Paints a rectangle in whole device pixels. It may reach outside the picture. `paint` is an index of `paints`, or that of
   * its dimmed colour.
   */
  rect(x: number, y: number, width: number, height: number, paint: number): void;
}

const paintOfSource = toolSources.map((source) =>
  paintIndex(source === 'none' || source === 'agent' ? 'delegation' : source),
);
const ink = (paint: Paint) => paintIndex(paint);
export const inks = {
  ground: ink('ground'),
  rule: ink('rule'),
  band: ink('band'),
  selectedRow: ink('selectedRow'),
  instance: ink('instance'),
  instanceBad: ink('instanceBad'),
  queuedEdge: ink('queuedEdge'),
  model: ink('model'),
  hook: ink('hook'),
  setup: ink('setup'),
  bad: ink('bad'),
  busy: ink('busy'),
  warn: ink('warn'),
  warnSoft: ink('warnSoft'),
  delegation: ink('delegation'),
  accent: ink('accent'),
  muted: ink('muted'),
};

/**
 * One bar to paint: a rectangle in device pixels, and its meaning as indices of `spanKinds`, `toolSources` and
 * `spanStatuses`.
 */
export interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
  kind: number;
  source: number;
  status: number;
  dim: boolean;
}

/** Paints one bar with the look of its kind and status. */
export function paintBar(sink: BarSink, bar: Bar, dpr: number): void {
  const { x, y, width, height, kind, source, status, dim } = bar;
  const failed = status === statusCodes.error || status === statusCodes.timeout;
  const cut = status === statusCodes.interrupted || status === statusCodes.cancelled;
  if (kind === kindCodes.instance) {
    sink.rect(x, y, width, height, shade(dim, failed ? inks.instanceBad : inks.instance));
    sink.rect(x, y, Math.min(width, Math.round(2 * dpr)), height, shade(dim, failed ? inks.bad : inks.delegation));
  } else if (kind === kindCodes.queued) {
    paintWait(sink, bar, shade(dim, inks.queuedEdge), dpr);
  } else if (kind === kindCodes.waiting) {
    paintQuestion(sink, bar, { edge: shade(dim, inks.warn), inside: shade(dim, inks.warnSoft) }, dpr);
  } else if (kind === kindCodes.decision) {
    sink.rect(x, y, width, height, shade(dim, inks.accent));
  } else {
    const colour = shade(dim, inkOf(kind, source));
    if (cut) paintStripes(sink, bar, { strong: colour, soft: inks.ground }, dpr);
    else sink.rect(x, y, width, height, failed && width < 4 * dpr ? shade(dim, inks.bad) : colour);
  }
  // A failed delegation has no red line, because its child's row and the mark show it, and the line would cover those
  // beside it.
  if (failed && kind !== kindCodes.instance && kind !== kindCodes.waiting && height > delegationPx * dpr) {
    const line = Math.max(1, Math.round(2 * dpr));
    sink.rect(x, y + height - line, width, line, shade(dim, inks.bad));
  }
  if (status === statusCodes.open) {
    const cap = Math.round(2 * dpr);
    sink.rect(x + width - cap, y, cap, height, shade(dim, inks.busy));
  }
}

function shade(dim: boolean, paint: number): number {
  return dim ? dimmed(paint) : paint;
}

/** Returns the colour of a step: a model call, a hook, a setup, a span of a framework or a tool call, which has the colour of its source. */
function inkOf(kind: number, source: number): number {
  if (kind === kindCodes.model) return inks.model;
  if (kind === kindCodes.hook) return inks.hook;
  if (kind === kindCodes.setup) return inks.setup;
  if (kind === kindCodes.framework) return inks.muted;
  return paintOfSource[source] ?? inks.delegation;
}

/** Paints a wait as a dashed line between two posts: nothing runs, and what runs beside it must stay in front. */
function paintWait(sink: BarSink, { x, y, width, height }: Bar, colour: number, dpr: number): void {
  const line = Math.min(height, Math.max(1, Math.round(dpr)));
  const middle = y + Math.floor((height - line) / 2);
  const dash = Math.round(4 * dpr);
  for (let at = x; at < x + width; at += 2 * dash) sink.rect(at, middle, Math.min(dash, x + width - at), line, colour);
  const post = Math.min(height, Math.round(8 * dpr));
  const top = y + Math.floor((height - post) / 2);
  sink.rect(x, top, line, post, colour);
  if (width > 2 * dash) sink.rect(x + width - line, top, line, post, colour);
}

/** Paints a question to a person as a frame, because nothing runs in it. */
function paintQuestion(
  sink: BarSink,
  { x, y, width, height }: Bar,
  { edge, inside }: { readonly edge: number; readonly inside: number },
  dpr: number,
): void {
  const line = Math.max(1, Math.round(1.5 * dpr));
  sink.rect(x, y, width, height, edge);
  if (width > 4 * line && height > 4 * line)
    sink.rect(x + 2 * line, y + line, width - 3 * line, height - 2 * line, inside);
}

/**
 * Paints what happened in the bar of a model call. `lostTo`: requests failed until there and were made again, so that stretch has stripes.
 * `tick`: the first piece of the answer came there. Both are x of the picture, in device pixels, and may be outside the bar.
 */
export function paintModelCall(
  sink: BarSink,
  bar: Bar,
  { lostTo, tick }: { readonly lostTo: number | undefined; readonly tick: number | undefined },
  dpr: number,
): void {
  const right = bar.x + bar.width;
  if (lostTo !== undefined && lostTo > bar.x) {
    const colours = { strong: shade(bar.dim, inks.model), soft: inks.ground };
    paintStripes(sink, { ...bar, width: Math.min(lostTo, right) - bar.x }, colours, dpr);
  }
  const line = Math.max(1, Math.round(dpr));
  if (tick !== undefined && tick > bar.x + line && tick < right - 2 * line) {
    sink.rect(tick, bar.y, line, bar.height, inks.ground);
  }
}

/** Paints stripes on a step that was cut short, so that it differs not only in colour. */
function paintStripes(
  sink: BarSink,
  { x, y, width, height }: Bar,
  { strong, soft }: { readonly strong: number; readonly soft: number },
  dpr: number,
): void {
  sink.rect(x, y, width, height, soft);
  const pitch = Math.round(9 * dpr);
  const line = Math.max(1, Math.round(dpr));
  for (let at = x; at < x + width; at += pitch) sink.rect(at, y, Math.min(line, x + width - at), height, strong);
  if (width > pitch) {
    sink.rect(x, y, width, line, strong);
    sink.rect(x, y + height - line, width, line, strong);
  }
}
